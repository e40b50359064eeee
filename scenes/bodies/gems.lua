-- Two cut gems sink in the tank of the stones, after Carlson's figure 21: they draft, kiss and tumble, and turn their flat
-- side to the flow on the way.
local function gem()
  local table_height, girdle, depth = 0.035, 0.095, 0.08
  local facets = {}
  for i = 0, 7 do
    local a = i * math.pi / 4
    facets[#facets + 1] = plane { normal = {math.cos(a), 1.35, math.sin(a)}, offset = 0.8 * girdle }       -- crown
    facets[#facets + 1] = plane { normal = {math.cos(a + 0.39), -1.1, math.sin(a + 0.39)}, offset = 0.72 * girdle } -- pavilion
  end
  facets[#facets + 1] = box { min = {-girdle, -depth, -girdle}, max = {girdle, table_height, girdle} }
  return intersection(facets)
end

return {
  name = "gems", method = "liquid",
  domain = { size = {0.7, 3, 0.25}, cells = {68, 292, 24} },
  time   = { duration = 4, fps = 60 },
  fluid  = { density = 1000, viscosity = 1e-6 },
  walls  = { all = "free_slip", top = "open" },
  fill   = { box { min = {0, 0, 0}, max = {0.7, 2.85, 0.25} } },
  bodies = {
    body { shape = gem(), at = {0.22, 2.4, 0.125}, rotation = {0, 0, 1, 20}, density = 3500, material = "plain", colour = {1, 0.75, 0.15} },
    body { shape = gem(), at = {0.26, 2.65, 0.125}, rotation = {1, 0, 0, 35}, density = 3500, material = "plain", colour = {0.95, 0.95, 1} },
  },
  camera = { eye = {1.6, 1.7, 6.2}, target = {0.35, 1.5, 0.125}, fov = 28 },
  output = { video = true },
}
