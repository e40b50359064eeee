-- Wet sand drips from a child's hand and piles up to a castle, after Carlson's figure 16 (48³ cells of 0.1 m, 5·10⁴ m²/s, 750
-- frames): balls are let fall at given times and places, and each keeps its shape where it lands, because what is so viscous
-- would take minutes to run together.
local drops, every = {}, 0.9
local towers = { {2.4, 2.4, 7}, {1.6, 2.1, 4}, {3.1, 1.8, 4}, {2.7, 3.2, 4}, {1.6, 3.3, 3} } -- x, z, how many balls

local function drop(x, z, radius)
  drops[#drops + 1] = fluid_in { shape = sphere { radius = radius }, at = {x, 4.4, z}, velocity = {0, -3, 0}, from = #drops * every }
end

for storey = 1, 7 do
  for i, tower in ipairs(towers) do
    local way, size = 2.4 * storey + i, 0.42 - 0.035 * storey -- never quite one above the other, and smaller and smaller
    if storey <= tower[3] then drop(tower[1] + 0.06 * math.cos(way), tower[2] + 0.06 * math.sin(way), size) end
  end
end

return {
  name = "drip-castle", method = "liquid",
  domain = { size = {4.8, 4.8, 4.8}, cells = 48 },
  time   = { duration = 25, fps = 30 },
  fluid  = { density = 1900, viscosity = 5e4 },
  walls  = { all = "no_slip", top = "open" },
  liquid = { surface = "level_set" },
  fill   = drops,
  camera = { eye = {9, 4, 9.5}, target = {2.4, 1.7, 2.4}, fov = 30 },
  look   = { liquid = { colour = {0.76, 0.62, 0.42} } },
  output = { images = { "clay" }, video = true },
}
