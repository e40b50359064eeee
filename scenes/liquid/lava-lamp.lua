-- A lamp warms the liquid above it. It gets lighter, rises in a blob that trails a stem, spreads under the surface, cools there
-- and sinks along the cold glass; the next blob is under way by then.
return {
  name = "lava-lamp", method = "liquid",
  domain  = { size = {0.12, 0.3}, cells = 160 },
  time    = { duration = 60, fps = 24, cfl = 2 },
  fluid   = { density = 1000, viscosity = 2e-5 },
  walls   = { all = wall { slip = "no_slip", temperature = 20 }, bottom = "no_slip", top = "open" },
  liquid  = { surface = "level_set" },
  heat    = { diffusivity = 3e-7, ambient = 20, expansion = 2e-3, loss = 2e-5 },
  fill    = { fluid_in { shape = rectangle { min = {0, 0}, max = {0.12, 0.27} }, temperature = 20 } },
  sources = { source { shape = rectangle { min = {0.045, 0}, max = {0.075, 0.012} }, temperature = 8, rate = 1 } },
  output  = { images = { view { field = "temperature", range = {20, 60} } }, video = true },
}
