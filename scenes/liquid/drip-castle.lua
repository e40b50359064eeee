-- Wet sand drips from a child's hand and piles up to a castle, after Carlson's figure 16 (48³ cells of 0.1 m, 5·10⁴ m²/s, 750
-- frames): balls are let fall at given times, and each keeps its shape where it lands, because what is so viscous takes
-- minutes to run together.
local drops, every = {}, 0.6
local towers = { {2.4, 2.4, 14}, {1.5, 1.7, 7}, {3.3, 1.8, 7}, {3.1, 3.3, 6} } -- x, z, how many balls

local function drop(x, z, radius) -- each at its time, from a height that it reaches the others from within the time
  drops[#drops + 1] = fluid_in { shape = sphere { radius = radius }, at = {x, 4.3, z}, velocity = {0, -2, 0}, from = #drops * every }
end

for round = 1, 14 do
  for i, tower in ipairs(towers) do
    local way = 2.4 * (round + i) -- drops fall around the axis, nearer to it as the tower grows
    local off, size = 0.3 * (1 - round / tower[3]), 0.34 - 0.012 * round
    if round <= tower[3] then drop(tower[1] + off * math.cos(way), tower[2] + off * math.sin(way), size) end
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
  look   = { liquid = { colour = {0.76, 0.62, 0.42} } },
  output = { images = { "clay" }, video = true },
}
