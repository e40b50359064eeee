-- A dollop of ketchup stands on a tilted plate: its weight alone does not reach its yield stress. Shaken from the second second
-- on it gives way, gets thinner the faster it is sheared, and runs down; when the shaking ends it stands again.
local function shake(x, y, z, t)
  local on = t > 1 and t < 2.5
  return on and 18 * math.sin(2 * math.pi * 6 * t) or 0, 0
end

return {
  name = "ketchup", method = "liquid",
  domain  = { size = {0.3, 0.1}, cells = 150 },
  gravity = {1.2, -9.7},
  time    = { duration = 3.5, fps = 60 },
  fluid   = { density = 1100, viscosity = 0.02, yield = 0.1, power = 0.4 },
  walls   = { all = "no_slip", top = "open" },
  liquid  = { surface = "level_set" },
  fill    = { fluid_in { shape = rectangle { min = {0.03, -0.1}, max = {0.1, 0.03}, round = 0.012 } } },
  forces  = { force { value = shake } },
  look    = { liquid = { colour = {0.75, 0.08, 0.03} } },
  output  = { images = { "liquid" }, video = true },
}
