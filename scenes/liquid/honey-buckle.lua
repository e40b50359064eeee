-- A sheet of honey falls out of a slot, buckles when its foot meets the floor, and folds like a ribbon: to the left, to the
-- right, one fold on the other. It folds because it is slow and viscous (Reynolds number 0.04, the limit is 0.56) and falls far
-- enough (17 times its width, the limit is 10). With fluid.viscosity=1e-4 it spreads without folds.
return {
  name = "honey-buckle", method = "liquid",
  domain  = { size = {0.08, 0.12}, cells = 144 },
  time    = { duration = 1.8, fps = 60, cfl = 2 },
  fluid   = { density = 1400, viscosity = 0.03 },
  walls   = { all = "no_slip", top = "open" },
  liquid  = { surface = "level_set" },
  sources = { source { shape = rectangle { size = {0.006, 0.012} }, at = {0.0401, 0.112}, velocity = {0, -0.2} } },
  look    = { liquid = { colour = {0.85, 0.5, 0.08} } },
  output  = { images = { "liquid" }, video = true },
}
