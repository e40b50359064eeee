-- Water from a tap falls on a wheel with eight paddles on a hinge, turns it, and runs off below.
local paddles = { cylinder { radius = 0.06, height = 0.2, axis = "z" } }
for i = 0, 7 do
  paddles[#paddles + 1] = rotate { box { size = {0.03, 0.17, 0.2}, at = {0, 0.135, 0} }, axis = {0, 0, 1}, degrees = 45 * i }
end

return {
  name = "waterwheel", method = "liquid",
  domain = { size = {0.8, 0.9, 0.3}, cells = 72 },
  time   = { duration = 5, fps = 48 },
  fluid  = { density = 1000, viscosity = 1e-6 },
  walls  = { all = "free_slip", top = "open" },
  sources = { source { shape = box { min = {0.45, 0.8, 0.06}, max = {0.55, 0.88, 0.24} }, velocity = {0, -1, 0} } },
  sinks  = { sink { shape = box { min = {0, 0, 0}, max = {0.8, 0.04, 0.3} } } },
  bodies = { body { name = "wheel", shape = union(paddles), at = {0.4, 0.42, 0.15}, density = 700 } },
  joints = { hinge { bodies = {"wheel"}, at = {0.4, 0.42, 0.15}, axis = {0, 0, 1} } },
  camera = { eye = {0.7, 0.75, 2.1}, target = {0.4, 0.42, 0.15}, fov = 32 },
  output = { video = true },
}
