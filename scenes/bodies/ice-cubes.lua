-- Nine ice cubes drop into a glass of water, one after the other, and nine tenths of them go under.
local bodies = {}
for i = 0, 8 do
  bodies[#bodies + 1] = body {
    shape = box { size = {0.028, 0.028, 0.028}, round = 0.004 }, density = 917, friction = 0.05, bounce = 0.2,
    at = {0.06 + 0.012 * math.cos(2.4 * i), 0.15, 0.06 + 0.012 * math.sin(2.4 * i)}, rotation = {1, i % 3, 1, 37 * i}, from = 0.25 * i,
  }
end

return {
  name = "ice-cubes", method = "liquid",
  domain = { size = {0.12, 0.18, 0.12}, cells = 72 },
  time   = { duration = 4, fps = 60 },
  fluid  = { density = 1000, viscosity = 1e-6 },
  walls  = { all = "free_slip", top = "open" },
  obstacles = { obstacle { shape = difference { box { min = {0, 0, 0}, max = {0.12, 0.14, 0.12} }, cylinder { radius = 0.05, height = 0.3, at = {0.06, 0.156, 0.06} } } } },
  fill   = { cylinder { radius = 0.05, height = 0.094, at = {0.06, 0.053, 0.06} } },
  bodies = bodies,
  camera = { eye = {0.1, 0.42, 0.25}, target = {0.06, 0.1, 0.06}, fov = 26 },
  output = { video = true },
}
