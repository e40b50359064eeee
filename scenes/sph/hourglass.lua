-- Water runs through the neck of an hourglass. The glass is one polygon less a smooth one, so its walls are thin and curved, and
-- no drop gets through them.
local function half_width(y)
  local s = math.abs(y - 0.75) / 0.7
  return 0.035 + 0.34 * math.min(1, 1.25 * s) ^ 1.6
end
local inside = {}
for i = 0, 60 do inside[#inside + 1] = { 0.5 + half_width(0.05 + 1.4 * i / 60), 0.05 + 1.4 * i / 60 } end
for i = 60, 0, -1 do inside[#inside + 1] = { 0.5 - half_width(0.05 + 1.4 * i / 60), 0.05 + 1.4 * i / 60 } end

return {
  name = "hourglass", method = "sph",
  domain  = { size = {1, 1.5} },
  time    = { duration = 6, fps = 30 },
  sph     = { spacing = 0.01 },
  fill    = { intersection { polygon { points = inside }, box { min = {0, 0.82}, max = {1, 1.3} } } },
  obstacles = { obstacle { shape = difference { box { min = {-0.2, -0.2}, max = {1.2, 1.7} }, polygon { points = inside } } } },
  output  = { video = true },
}
