-- Eight gears of nine times the density of water hit it at four metres a second; three wooden rabbits, held under until then,
-- come up between them, after Carlson's figures 22 and 32 (64×68×64 cells, 8 s). Falling gears hook the rabbits' ears.
local function ball(x, y, z, rx, ry, rz, tilt) return ellipsoid { radii = {rx, ry, rz}, at = {x, y, z}, rotation = {1, 0, 0, tilt or 0} } end

local function rabbit(s)
  local parts = {
    ball(0, 0, 0, 0.075, 0.085, 0.1, -18), ball(0, 0.07, 0.075, 0.055, 0.07, 0.055), ball(0, 0.15, 0.105, 0.05, 0.045, 0.055, 12),
    ball(0, -0.01, -0.11, 0.035, 0.035, 0.035), k = 0.02,
  }
  for side = -1, 1, 2 do
    parts[#parts + 1] = ball(0.026 * side, 0.225, 0.08, 0.022, 0.065, 0.026, -22)  -- ear
    parts[#parts + 1] = ball(0.055 * side, -0.03, -0.02, 0.045, 0.06, 0.06)        -- haunch
    parts[#parts + 1] = ball(0.055 * side, -0.075, 0.03, 0.027, 0.022, 0.06)       -- foot
  end
  return scale { smooth_union(parts), factor = s }
end

local wheel = gear { radius = 0.085, teeth = 10, depth = 0.025, thickness = 0.05, hole = 0.03 }
local bodies = {}
for i = 0, 7 do
  local ring = i % 4
  bodies[#bodies + 1] = body {
    shape = wheel, density = 9000, velocity = {0, -4, 0},
    at = {0.28 + 0.44 * (ring % 2) + 0.03 * (i // 4), 0.62 + 0.19 * (i // 4) + 0.04 * ring, 0.28 + 0.44 * (ring // 2) - 0.03 * (i // 4)},
    rotation = {1, 0.3 * ring, 0, 25 + 40 * i}, spin = {2 - ring, 1, ring - 1},
  }
end
for i, at in ipairs { {0.3, 0.22, 0.32}, {0.7, 0.2, 0.4}, {0.48, 0.24, 0.72} } do
  bodies[#bodies + 1] = body { shape = rabbit(1), at = at, rotation = {0, 1, 0, 70 * i}, density = 600 }
end

return {
  name = "gears-and-rabbits", method = "liquid",
  domain = { size = {1, 1.0625, 1}, cells = {64, 68, 64} },
  time   = { duration = 8, fps = 60 },
  fluid  = { density = 1000, viscosity = 1e-6 },
  walls  = { all = "free_slip", top = "open" },
  fill   = { box { min = {0, 0, 0}, max = {1, 0.45, 1} } },
  bodies = bodies,
  camera = { eye = {1.3, 1.35, 3.0}, target = {0.5, 0.42, 0.5}, fov = 34 },
  output = { video = true },
}
