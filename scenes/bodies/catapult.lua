-- A cube of silver falls from the ceiling onto one end of a plank, whose other end throws a small block over; then a wall of
-- water takes everything along, after Carlson's figures 17 and 18 (93×73×60 cells, 5 s, a room one metre tall).
return {
  name = "catapult", method = "liquid",
  domain = { size = {1.274, 1, 0.822}, cells = {93, 73, 60} },
  time   = { duration = 5, fps = 60 },
  fluid  = { density = 1000, viscosity = 1e-6 },
  walls  = { all = "free_slip", top = "open" },
  fill   = { box { min = {0, 0, 0}, max = {0.2, 0.55, 0.822} } },
  initial = { velocity = function(x, y, z) return 1.2, 0, 0 end },
  bodies = {
    body { name = "silver", shape = box { size = {0.2, 0.2, 0.2} }, at = {0.54, 0.88, 0.6}, density = 9000, colour = {0.9, 0.92, 0.95} },
    body { name = "plank", shape = box { size = {0.6, 0.03, 0.2} }, at = {0.75, 0.137, 0.6}, rotation = {0, 0, 1, -12}, density = 740 },
    body { name = "fulcrum", shape = cylinder { radius = 0.055, height = 0.24, axis = "z" }, at = {0.75, 0.055, 0.6}, density = 9000, friction = 0.9 },
    body { name = "load", shape = box { size = {0.08, 0.08, 0.08} }, at = {0.99, 0.145, 0.6}, rotation = {0, 0, 1, -12}, density = 740 },
    body { name = "small", shape = box { size = {0.06, 0.06, 0.06} }, at = {0.62, 0.03, 0.65}, density = 740 },
    body { name = "turquoise", shape = box { size = {0.4, 0.4, 0.4} }, at = {1.06, 0.2, 0.21}, density = 2000, material = "stone", colour = {0.25, 0.75, 0.72} },
  },
  camera = { eye = {0.9, 0.95, 3.0}, target = {0.64, 0.45, 0.41}, fov = 34 },
  output = { video = true },
}
