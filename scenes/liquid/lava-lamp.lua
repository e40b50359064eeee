-- A lamp under the glass is switched on and off. What it warms gets lighter and thinner, rises as a blob with a stem, spreads
-- under the surface, cools at the glass and sinks along it, while the next blob is under way.
local function lamp(x, y, z, t) return t % 9 < 4 and 16 or 0 end -- K/s

return {
  name = "lava-lamp", method = "liquid",
  domain  = { size = {0.12, 0.3}, cells = 160 },
  time    = { duration = 40, fps = 24, cfl = 2 },
  fluid   = { density = 1000 },
  walls   = { all = wall { slip = "no_slip", temperature = 20 }, bottom = "no_slip", top = "open" },
  liquid  = { surface = "level_set" },
  heat    = {
    diffusivity = 1e-6, ambient = 20, expansion = 4e-3, loss = 5e-5,
    melt = { from = 20, to = 50, solid = 4e-4, liquid = 2e-5 },
  },
  fill    = { fluid_in { shape = rectangle { min = {0, 0}, max = {0.12, 0.27} }, temperature = 20 } },
  sources = { source { shape = circle { radius = 0.014 }, at = {0.061, 0.008}, temperature = lamp, rate = 1 } },
  output  = { images = { view { field = "temperature", range = {20, 45} } }, video = true },
}
