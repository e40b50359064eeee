-- Three heaps of cement out of the same mould, mixed one after the other: the older one is, the less water it has left. All of
-- them dry, and the viscosity is a function of the water, from a thin slurry to stone. The fresh one slumps and sets as a
-- puddle, the next one sags and then stands, the oldest keeps the mould's shape.
local function mix(T, scalars) return 10 ^ (3 - 5 * scalars.water) end -- m²/s

local function heap(x, water)
  return fluid_in { shape = cone { radius = 0.2, height = 0.5 }, at = {x, 0.2, 0.4}, water = water }
end

return {
  name = "cement", method = "liquid",
  domain  = { size = {2, 0.6, 0.8}, cells = 80 },
  time    = { duration = 8, fps = 24 },
  fluid   = { density = 2300, viscosity = mix },
  walls   = { all = "no_slip", top = "open" },
  liquid  = { surface = "level_set" },
  scalars = { water = { dissipation = 0.3 } },
  fill    = { heap(0.45, 0.95), heap(1.05, 0.65), heap(1.6, 0.2) },
  look    = { liquid = { colour = {0.55, 0.55, 0.52} } },
  output  = { images = { "clay" }, video = true },
}
