-- A breeze with smoke turns a windmill: four pitched blades on a hinge, driven by nothing but the pressure on them.
local blades = { cylinder { radius = 0.05, height = 0.12, axis = "x" } }
for i = 0, 3 do
  blades[#blades + 1] = rotate { rotate { box { size = {0.03, 0.34, 0.12}, at = {0, 0.21, 0} }, axis = {0, 1, 0}, degrees = 35 }, axis = {1, 0, 0}, degrees = 90 * i }
end

return {
  name = "windmill", method = "smoke",
  domain = { size = {1.6, 1, 1}, cells = 80 },
  time   = { duration = 5, fps = 24 },
  gravity = {0, 0, 0},
  fluid  = { density = 1.2 },
  walls  = { left = inflow { velocity = {2, 0, 0} }, right = "open" },
  sources = { source { shape = cylinder { radius = 0.3, height = 0.06, axis = "x" }, at = {0.12, 0.5, 0.5}, density = 1 } },
  bodies = { body { name = "wheel", shape = union(blades), at = {0.7, 0.5, 0.5}, density = 60 } },
  joints = { hinge { bodies = {"wheel"}, at = {0.7, 0.5, 0.5}, axis = {1, 0, 0} } },
  camera = { eye = {-0.4, 1.1, 2.6}, target = {0.75, 0.5, 0.5}, fov = 34 },
  output = { video = true },
}
