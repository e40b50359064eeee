-- A candle burns: the flame at its wick melts a bowl of wax, a draught blows it to one side, the rim there gives way, and wax
-- runs down the side and sets in drops. It burns a hundred times as fast as a real one.
local wick = {0.06, 0.15, 0.06}

local function flame(x, y, z) -- a draught along x
  local dx, dy, dz = x - wick[1] - 0.012, y - wick[2] + 0.006, z - wick[3]
  return math.exp(-(dx * dx + dy * dy + dz * dz) / 0.018 ^ 2)
end

return {
  name = "candle", method = "liquid",
  domain    = { size = {0.12, 0.18, 0.12}, cells = 60 },
  time      = { duration = 10, fps = 24, cfl = 2 },
  fluid     = { density = 900 },
  walls     = { all = "no_slip", top = "open" },
  liquid    = { surface = "level_set" },
  heat      = {
    diffusivity = 1e-6, ambient = 20, loss = 2e-4, latent = 40,
    melt = { from = 55, to = 60, solid = 1e3, liquid = 3e-4, curve = "linear" },
  },
  fill      = { fluid_in { shape = cylinder { radius = 0.03, height = 0.28 }, at = {0.06, 0, 0.06}, temperature = 20 } },
  sources   = { source { shape = sphere { radius = 0.04 }, at = wick, temperature = flame, rate = 80 } },
  obstacles = { obstacle { shape = cylinder { radius = 0.003, height = 0.03 }, at = {0.06, 0.14, 0.06} } },
  camera    = { eye = {0.42, 0.22, 0.3}, target = {0.06, 0.08, 0.06}, fov = 25 },
  look      = { liquid = { colour = {0.9, 0.85, 0.7}, material = "wax" } },
  output    = { images = { "liquid", view { field = "temperature", range = {20, 80} } }, video = true },
}
