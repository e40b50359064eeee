-- A block of wax melts under a heater at its upper right corner, after Carlson's figure 1. It is one fluid all the time:
-- two hundred thousand times as viscous where it is cold as where it is hot.
local function heater(x, y, z)
  local dx, dy, dz = x - 0.45, y - 0.3, z - 0.3
  return math.exp(-(dx * dx + dy * dy + dz * dz) / 0.11 ^ 2)
end

return {
  name = "melting-block", method = "liquid",
  domain  = { size = {0.6, 0.45, 0.45}, cells = 48 },
  time    = { duration = 12, fps = 24 },
  fluid   = { density = 900 },
  walls   = { all = "no_slip", top = "open" },
  heat    = {
    diffusivity = 2e-5, ambient = 20, latent = 20,
    melt = { from = 50, to = 60, solid = 1e3, liquid = 5e-3, curve = "log" },
  },
  fill    = { fluid_in { shape = box { min = {0.15, 0, 0.1}, max = {0.45, 0.3, 0.35} }, temperature = 20 } },
  sources = { source { shape = sphere { radius = 0.25 }, at = {0.45, 0.3, 0.3}, temperature = heater, rate = 40 } },
  look    = { liquid = { colour = {0.85, 0.65, 0.3}, material = "wax" } },
  output  = { images = { "liquid", view { field = "temperature", range = {20, 80} } }, video = true },
}
