-- Marbled paper: bands of ink folded by a few vortices. The flow has 160 x 90 cells, which is all it needs; the inks live on
-- cells four times as fine (`refine`), where their edges stay sharp.
local fine = 4

local bands = { "indigo", "vermilion", "gold", "cream" }
local function band(n)
  return function(x, y)
    local place = (y + 0.03 * math.sin(9 * x) + 0.015 * math.sin(23 * x + 1)) / 0.075
    local edge = math.min(1, math.max(0, 0.5 - (math.abs((place - n + 2) % #bands - 2) - 0.5) * 8))
    return edge
  end
end

local scalars = {}
for n, name in ipairs(bands) do scalars[name] = { refine = fine, initial = band(n) } end

-- centre, reach, speed at that reach: turning left when positive
local vortices = {
  {0.28, 0.30, 0.10,  0.55}, {0.62, 0.62, 0.13, -0.60}, {0.95, 0.28, 0.11,  0.50}, {1.32, 0.60, 0.12,  0.60},
  {0.22, 0.72, 0.08, -0.45}, {1.42, 0.22, 0.08, -0.50}, {1.02, 0.74, 0.06, -0.40}, {0.58, 0.16, 0.06, -0.40},
}
local function swirl(x, y)
  local u, v = 0, 0
  for _, w in ipairs(vortices) do
    local dx, dy, reach = x - w[1], y - w[2], w[3]
    local r2 = dx * dx + dy * dy + 1e-12
    local turn = 1.57 * w[4] * reach * (1 - math.exp(-r2 / (reach * reach))) / r2
    u, v = u - turn * dy, v + turn * dx
  end
  return u, v, 0
end

return {
  name = "ink-fine", method = "smoke",
  domain  = { size = {1.6, 0.9}, cells = 160 },
  time    = { duration = 6, fps = 24 },
  smoke   = { advection = "reflection" },
  scalars = scalars,
  initial = { velocity = swirl },
  look    = { background = {0.05, 0.05, 0.07}, width = 1280,
              inks = { indigo = {0.10, 0.15, 0.42}, vermilion = {0.86, 0.25, 0.16}, gold = {0.93, 0.68, 0.22}, cream = {0.96, 0.92, 0.82} } },
  output  = { video = true },
}
