-- A bucket with walls of a centimetre hangs in a yoke that a crane lets down into a pool. It dips in askew, scoops, comes up
-- full, and is tipped out. It does not leak.
local place, arm = {0.35, 0.55, 0.25}, 0.128
local bucket = difference { cylinder { radius = 0.11, height = 0.2 }, cylinder { radius = 0.1, height = 0.2, at = {0, 0.012, 0} } }
local yoke = union {
  cylinder { radius = 0.012, height = 2 * arm + 0.02, axis = "z", at = {0, 0.2, 0} },
  cylinder { radius = 0.01, height = 0.22, at = {0, 0.1, arm} }, cylinder { radius = 0.01, height = 0.22, at = {0, 0.1, -arm} },
}

local function lift(t)                      -- m/s
  return t < 1 and -0.38 or t > 1.4 and t < 2.6 and 0.375 or 0
end

local function turn(t)                      -- rad/s
  local degrees = t < 1.4 and -50 * math.pi * math.cos(math.pi * t / 1.4) or t > 3.2 and t < 4.4 and -108 or 0
  return math.rad(degrees)
end

return {
  name = "bucket", method = "liquid",
  domain = { size = {0.8, 0.9, 0.5}, cells = 90 },
  time   = { duration = 5, fps = 48 },
  fluid  = { density = 1000, viscosity = 1e-6 },
  walls  = { all = "free_slip", top = "open" },
  fill   = { box { min = {0, 0, 0}, max = {0.8, 0.25, 0.5} } },
  bodies = {
    body { name = "bucket", shape = bucket, at = place, density = 2700, material = "plain", colour = {0.8, 0.25, 0.15} },
    body { name = "yoke", shape = yoke, at = place, density = 7800 },
  },
  joints = {
    slider { bodies = {"yoke"}, axis = "y", motor = lift },
    hinge  { bodies = {"bucket", "yoke"}, at = place, axis = "z", motor = turn },
  },
  camera = { eye = {0.6, 0.95, 2.1}, target = {0.4, 0.38, 0.25}, fov = 34 },
  output = { video = true },
}
