-- Lava wells out at the top of a flight of steps, runs down, cools through its surface and crusts: first the edges and the
-- thin front, which the hot core behind breaks through again, at last all of it. It loses heat a hundred times as fast as real
-- lava, so that it takes seconds and not half an hour.
local steps = {}
for i = 1, 4 do steps[i] = box { min = {-1, -1, -1}, max = {0.75 * i, 1.5 - 0.35 * i, 2} } end

return {
  name = "lava-steps", method = "liquid",
  domain    = { size = {3.6, 1.8, 1.2}, cells = 90 },
  time      = { duration = 20, fps = 24, cfl = 2 },
  fluid     = { density = 2700 },
  walls     = { all = "no_slip", top = "open" },
  liquid    = { surface = "level_set" },
  heat      = {
    diffusivity = 1e-5, ambient = 300, loss = 1.5e-3, latent = 100,
    melt = { from = 1000, to = 1300, solid = 1e4, liquid = 0.2 },
  },
  sources   = { source { shape = box { min = {-0.1, 1.15, 0.35}, max = {0.2, 1.35, 0.85} }, velocity = {0.5, 0, 0}, temperature = 1450, to = 10 } },
  obstacles = { obstacle { shape = union(steps), slip = "no_slip" } },
  look      = { liquid = { material = "lava" } },
  output    = { images = { "liquid", view { field = "temperature", range = {600, 1450}, slice = { axis = "z", at = 0.5 } } }, video = true },
}
