-- A bucket with thin walls goes down into a pool, scoops, comes up full, and is tipped out. It does not leak.
local bucket = difference { cylinder { radius = 0.11, height = 0.2 }, cylinder { radius = 0.1, height = 0.2, at = {0, 0.012, 0} } }

local function path(t)
  local down, up, tip = math.min(t / 1, 1), math.max(0, math.min((t - 1.4) / 1.2, 1)), math.max(0, math.min((t - 3.2) / 1.2, 1))
  local lean = 70 * math.sin(math.pi * math.min(t / 1.4, 1))
  return 0.35, 0.55 - 0.38 * down + 0.45 * up, 0.25, -lean - 130 * tip, 0, 0, 1
end

return {
  name = "bucket", method = "liquid",
  domain = { size = {0.8, 0.9, 0.5}, cells = 90 },
  time   = { duration = 5, fps = 48 },
  fluid  = { density = 1000, viscosity = 1e-6 },
  walls  = { all = "free_slip", top = "open" },
  fill   = { box { min = {0, 0, 0}, max = {0.8, 0.25, 0.5} } },
  obstacles = { obstacle { shape = bucket, path = path } },
  camera = { eye = {0.6, 0.95, 2.1}, target = {0.4, 0.38, 0.25}, fov = 32 },
  output = { video = true },
}
