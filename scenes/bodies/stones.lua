-- Two stones sink one behind the other in a tank of three metres, after Carlson's figure 20 (68×292×24 cells, 4 s): the upper
-- one falls in the wake of the lower, catches up, kisses it, and they tumble; the upper arrives first.
return {
  name = "stones", method = "liquid",
  domain = { size = {0.7, 3, 0.25}, cells = {68, 292, 24} },
  time   = { duration = 4, fps = 60 },
  fluid  = { density = 1000, viscosity = 1e-6 },
  walls  = { all = "free_slip", top = "open" },
  fill   = { box { min = {0, 0, 0}, max = {0.7, 2.85, 0.25} } },
  bodies = {
    body { shape = sphere { radius = 0.0825 }, at = {0.2, 2.45, 0.125}, density = 5700, material = "stone", colour = {0.75, 0.72, 0.66} },
    body { shape = sphere { radius = 0.0825 }, at = {0.22, 2.68, 0.125}, density = 5700, material = "stone", colour = {0.95, 0.75, 0.45} },
  },
  camera = { eye = {1.6, 1.7, 6.2}, target = {0.35, 1.5, 0.125}, fov = 28 },
  output = { video = true },
}
