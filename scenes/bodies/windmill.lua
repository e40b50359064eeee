-- A breeze turns a windmill: four pitched blades on a hinge, driven by nothing but the pressure on them. Threads of smoke show
-- how the air twists behind it.
local blades = { cylinder { radius = 0.05, height = 0.12, axis = "x" } }
for i = 0, 3 do
  blades[#blades + 1] = rotate { rotate { box { size = {0.03, 0.34, 0.12}, at = {0, 0.21, 0} }, axis = {0, 1, 0}, degrees = 35 }, axis = {1, 0, 0}, degrees = 90 * i }
end

local threads = {}
for i = 0, 7 do
  local a, r = math.pi * (i + 0.5) / 4, i % 2 == 0 and 0.3 or 0.17
  threads[i + 1] = source { shape = sphere { radius = 0.022 }, at = {0.12, 0.5 + r * math.cos(a), 0.5 + r * math.sin(a)}, density = 0.6 }
end

return {
  name = "windmill", method = "smoke",
  domain = { size = {1.6, 1, 1}, cells = 80 },
  time   = { duration = 5, fps = 24 },
  gravity = {0, 0, 0},
  fluid  = { density = 1.2 },
  walls  = { left = inflow { velocity = {2, 0, 0} }, right = "open" },
  sources = threads,
  bodies = { body { name = "wheel", shape = union(blades), at = {0.7, 0.5, 0.5}, density = 60, material = "plain", colour = {0.85, 0.35, 0.12} } },
  joints = { hinge { bodies = {"wheel"}, at = {0.7, 0.5, 0.5}, axis = {1, 0, 0} } },
  camera = { eye = {-0.4, 1.1, 2.6}, target = {0.75, 0.5, 0.5}, fov = 34 },
  output = { video = true },
}
