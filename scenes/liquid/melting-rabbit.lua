-- A rabbit of wax melts from its ears down, after Carlson's figure 14 (35×28×38 cells of 0.1 m, 600 frames). A heater
-- over its head lets the ears droop and the head run, while the tail is a hundred thousand times as viscous and stands. It
-- is one fluid all the time, and what runs down the cold chest does not stick to it. Finer: --res 128
local hot = {1.75, 2.45, 2.4} -- x, y, z of the heater's middle

local function heater(x, y, z)
  local dx, dy, dz = x - hot[1], y - hot[2], z - hot[3]
  return math.exp(-(dx * dx + dy * dy + dz * dz) / 0.9 ^ 2)
end

local function ball(x, y, z, rx, ry, rz, tilt) return ellipsoid { radii = {rx, ry, rz}, at = {x, y, z}, rotation = {1, 0, 0, tilt or 0} } end

local function ear(side) return ball(1.75 + 0.17 * side, 2.2, 2.2, 0.15, 0.46, 0.19, -22) end
local function foot(side) return ball(1.75 + 0.42 * side, 0.13, 1.75, 0.2, 0.16, 0.5) end
local function haunch(side) return ball(1.75 + 0.36 * side, 0.55, 1.35, 0.34, 0.5, 0.5) end
local function paw(side) return capsule { radius = 0.14, height = 0.7, at = {1.75 + 0.26 * side, 0.45, 2.35}, rotation = {1, 0, 0, -12} } end

local rabbit = smooth_union {
  ball(1.75, 0.7, 1.5, 0.62, 0.66, 0.85, -18), -- body
  ball(1.75, 1.0, 2.1, 0.45, 0.62, 0.48),      -- chest
  ball(1.75, 1.62, 2.4, 0.38, 0.36, 0.46, 12), -- head
  sphere { radius = 0.28, at = {1.75, 0.6, 0.5} }, -- tail
  haunch(-1), haunch(1), foot(-1), foot(1), paw(-1), paw(1), ear(-1), ear(1), k = 0.12,
}

return {
  name = "melting-rabbit", method = "liquid",
  domain  = { size = {3.5, 2.8, 3.8}, cells = 38 },
  time    = { duration = 20, fps = 30 },
  fluid   = { density = 900 },
  walls   = { all = "no_slip", top = "open" },
  liquid  = { surface = "level_set" },
  heat    = { diffusivity = 1e-3, ambient = 20, melt = { from = 40, to = 70, solid = 1e4, liquid = 0.1 } },
  fill    = { fluid_in { shape = rabbit, temperature = 20 } },
  sources = { source { shape = sphere { radius = 2 }, at = hot, temperature = heater, rate = 18 } },
  camera  = { eye = {8, 3.5, 7}, target = {1.75, 1, 2}, fov = 25 },
  look    = { liquid = { colour = {0.85, 0.65, 0.3}, material = "wax" } },
  output  = { images = { "liquid", view { field = "temperature", range = {20, 80}, slice = { axis = "x", at = 0.5 } } }, video = true },
}
