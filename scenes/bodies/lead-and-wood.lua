-- A ball of lead and one of wood are thrown into a pool from both sides, each spinning a thousand times a minute about the
-- vertical, after Carlson's figure 2 (96×64×48 cells, 8 s). Lead sinks and rolls into a corner; wood bobs.
return {
  name = "lead-and-wood", method = "liquid",
  domain = { size = {1, 0.667, 0.5}, cells = {96, 64, 48} },
  time   = { duration = 8, fps = 60 },
  fluid  = { density = 1000, viscosity = 1e-6 },
  walls  = { all = "free_slip", top = "open" },
  fill   = { box { min = {0, 0, 0}, max = {1, 0.27, 0.5} } },
  bodies = {
    body { name = "lead", shape = sphere { radius = 0.07 }, at = {0.23, 0.5, 0.24}, density = 11000, velocity = {3.8, -3.1, 0}, spin = {0, 104.7, 0} },
    body { name = "wood", shape = sphere { radius = 0.07 }, at = {0.77, 0.5, 0.26}, density = 550, velocity = {-3.8, -3.1, 0}, spin = {0, -104.7, 0} },
  },
  camera = { eye = {0.5, 0.75, 2.1}, target = {0.5, 0.22, 0.25}, fov = 32 },
  output = { video = true },
}
