-- Houses with smoking chimneys in a crosswind. Every house is a box with a gabled roof and a chimney, by CSG.
local function house(x, z, width, depth, height, turn)
  local roof = extrude { points = { {-0.56 * width, height}, {0.56 * width, height}, {0, height + 0.45 * width} }, height = 1.08 * depth }
  local body = box { min = {-width / 2, -0.02, -depth / 2}, max = {width / 2, height, depth / 2} }
  local chimney = box { min = {0.16 * width, height, -0.06}, max = {0.16 * width + 0.1, height + 0.55 * width, 0.06} }
  return obstacle { shape = union { body, roof, chimney }, at = {x, 0, z}, rotation = {0, 1, 0, turn} }
end

local function smoke(x, z, width, height, turn)
  local a = math.rad(turn)
  local cx = 0.16 * width + 0.05
  return source {
    shape = sphere { radius = 0.075 }, at = {x + cx * math.cos(a), height + 0.55 * width + 0.07, z - cx * math.sin(a)},
    density = 1, temperature = 40, velocity = {0.25, 0.9, 0},
  }
end

local town = {
  --  x     z    width depth height turn
  { 0.65, 0.70, 0.50, 0.70, 0.35,   0 },
  { 1.55, 1.35, 0.55, 0.60, 0.42,  25 },
  { 2.45, 0.60, 0.45, 0.65, 0.30, -15 },
  { 3.05, 1.45, 0.50, 0.55, 0.38,  60 },
}
local houses, chimneys = {}, {}
for i, h in ipairs(town) do
  houses[i] = house(h[1], h[2], h[3], h[4], h[5], h[6])
  chimneys[i] = smoke(h[1], h[2], h[3], h[5], h[6])
end

return {
  name = "chimney-town", method = "smoke",
  domain  = { size = {4, 2, 2}, cells = 128 },
  time    = { duration = 6, fps = 24 },
  walls   = { bottom = "free_slip", back = "free_slip", front = "free_slip", top = "open", right = "open",
              left = inflow { velocity = function(x, y, z, t) return 0.75 * (y / 2)^0.25, 0, 0.06 * math.sin(0.9 * t) end } },
  initial = { velocity = function(x, y, z) return 0.75 * (y / 2)^0.25, 0, 0 end },
  smoke   = { buoyancy = { temperature = 0.02, density = 0.05 }, vorticity = 0.25 },
  scalars = { density = { dissipation = 0.55 }, temperature = { dissipation = 1 } },
  sources = chimneys,
  obstacles = houses,
  look    = { smoke = { opacity = 14 }, obstacle = { colour = {0.72, 0.58, 0.48} }, width = 960, height = 540 },
  camera  = { eye = {3.6, 1.9, 5.2}, target = {2.0, 0.65, 1.0}, fov = 30 },
  output  = { video = true },
}
