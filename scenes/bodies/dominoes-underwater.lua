-- Fourteen dominoes stand in a row on the bottom of a tank. A ball comes down on a pendulum and knocks over the first; the
-- water between them makes it a slow affair.
local bodies = { body { name = "ball", shape = sphere { radius = 0.045 }, at = {0.0575, 0.215, 0.15}, density = 8000 } }
for i = 0, 13 do
  bodies[#bodies + 1] = body { shape = box { size = {0.025, 0.16, 0.08} }, at = {0.32 + 0.072 * i, 0.08, 0.15}, density = 2500, bounce = 0, friction = 0.6 }
end

return {
  name = "dominoes-underwater", method = "liquid",
  domain = { size = {1.4, 0.5, 0.3}, cells = 140 },
  time   = { duration = 5, fps = 48 },
  fluid  = { density = 1000, viscosity = 1e-6 },
  walls  = { all = "free_slip", top = "open" },
  fill   = { box { min = {0, 0, 0}, max = {1.4, 0.4, 0.3} } },
  bodies = bodies,
  joints = { ball { bodies = {"ball"}, at = {0.2625, 0.42, 0.15} } },
  camera = { eye = {0.9, 0.75, 2.5}, target = {0.68, 0.18, 0.15}, fov = 32 },
  output = { video = true },
}
