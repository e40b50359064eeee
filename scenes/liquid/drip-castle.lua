-- Wet sand drips from a child's hand and piles up to a castle, after Carlson's figure 16 (48³ cells of 0.1 m, 5·10⁴ m²/s, 750
-- frames): balls are let fall at given times and places, and each keeps its shape where it lands, because what is so viscous
-- would take minutes to run together.
local drops, every = {}, 0.7

local function drop(x, z, radius)
  drops[#drops + 1] = fluid_in { shape = sphere { radius = radius }, at = {x, 4.3, z}, velocity = {0, -3, 0}, from = #drops * every }
end

local function ring(x, z, away, count, radius, turn)
  for i = 1, count do
    local way = turn + 2 * math.pi * i / count
    drop(x + away * math.cos(way), z + away * math.sin(way), radius)
  end
end

ring(2.4, 2.4, 0.6, 6, 0.38, 0) -- a keep of three storeys
drop(2.4, 2.4, 0.38)
ring(2.4, 2.4, 0.42, 4, 0.36, 0.3)
ring(2.4, 2.4, 0.26, 3, 0.32, 0.8)
for i = 1, 4 do drop(2.4, 2.4, 0.32 - 0.04 * i) end -- its spire
for _, tower in ipairs { {1.2, 1.5}, {3.6, 1.5}, {2.4, 3.8} } do
  for i = 1, 4 do drop(tower[1], tower[2], 0.4 - 0.05 * i) end
end

return {
  name = "drip-castle", method = "liquid",
  domain = { size = {4.8, 4.8, 4.8}, cells = 48 },
  time   = { duration = 25, fps = 30 },
  fluid  = { density = 1900, viscosity = 5e4 },
  walls  = { all = "no_slip", top = "open" },
  liquid = { surface = "level_set" },
  fill   = drops,
  camera = { eye = {9, 4.5, 9.5}, target = {2.4, 1.3, 2.4}, fov = 28 },
  look   = { liquid = { colour = {0.76, 0.62, 0.42} } },
  output = { images = { "clay" }, video = true },
}
