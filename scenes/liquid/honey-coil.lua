-- A thread of honey falls on a plate and coils: it is too stiff to bend as sharply as it would have to, so its foot goes round
-- on the heap that it makes, about five times a second. The heap sinks into itself under the coils.
return {
  name = "honey-coil", method = "liquid",
  domain  = { size = {0.06, 0.09, 0.06}, cells = 72 },
  time    = { duration = 2, fps = 60, cfl = 2 },
  fluid   = { density = 1400, viscosity = 0.03 },
  walls   = { all = "no_slip", top = "open" },
  liquid  = { surface = "level_set" },
  sources = { source { shape = cylinder { radius = 0.003, height = 0.008 }, at = {0.03, 0.086, 0.03}, velocity = {0, -0.15, 0} } },
  look    = { liquid = { colour = {0.85, 0.5, 0.08}, material = "honey" } },
  output  = { images = { "liquid" }, video = true },
}
