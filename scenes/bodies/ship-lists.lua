-- A ship with a cabin and a deep keel is rolled by a wave from abeam. The crate on its deck slides, and it lists to that side.
local hull = difference {
  union { box { size = {0.5, 0.1, 0.2}, round = 0.02 }, cylinder { radius = 0.05, height = 0.5, axis = "x", at = {0, -0.05, 0} } },
  box { size = {0.44, 0.1, 0.15}, at = {0, 0.035, 0} },
}
local ship = union { hull, box { size = {0.12, 0.12, 0.12}, at = {-0.14, 0.04, 0} }, box { size = {0.4, 0.02, 0.15}, at = {0.02, 0.03, 0} } }

return {
  name = "ship-lists", method = "liquid",
  domain = { size = {1.2, 0.7, 0.8}, cells = 96 },
  time   = { duration = 6, fps = 48 },
  fluid  = { density = 1000, viscosity = 1e-6 },
  walls  = { all = "free_slip", top = "open" },
  fill   = { box { min = {0, 0, 0}, max = {1.2, 0.32, 0.8} }, box { min = {0, 0, 0}, max = {1.2, 0.44, 0.12} } },
  bodies = {
    body { name = "ship", shape = ship, at = {0.6, 0.34, 0.4}, friction = 0.2, material = "plain", colour = {0.72, 0.16, 0.12},
           density = function(x, y, z) return y < -0.06 and 2500 or 450 end },
    body { name = "crate", shape = box { size = {0.07, 0.07, 0.07} }, at = {0.68, 0.425, 0.42}, density = 900, friction = 0.1, material = "wood" },
  },
  camera = { eye = {1.75, 0.8, 2.1}, target = {0.6, 0.24, 0.4}, fov = 34 },
  output = { video = true },
}
