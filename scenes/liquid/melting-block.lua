-- A block of wax melts under a heater at its upper right corner, after Carlson's figure 1. It is one fluid all the time:
-- ten million times as viscous where it is cold as where it is hot.
return {
  name = "melting-block", method = "liquid",
  domain  = { size = {0.6, 0.45, 0.45}, cells = 48 },
  time    = { duration = 12, fps = 24 },
  fluid   = { density = 900 },
  walls   = { all = "no_slip", top = "open" },
  heat    = {
    diffusivity = 2e-5, ambient = 20, latent = 20,
    melt = { from = 50, to = 60, solid = 1e3, liquid = 1e-4, curve = "log" },
  },
  fill    = { fluid_in { shape = box { min = {0.15, 0, 0.1}, max = {0.45, 0.3, 0.35} }, temperature = 20 } },
  sources = { source { shape = sphere { radius = 0.16 }, at = {0.45, 0.3, 0.3}, temperature = 1, rate = 30, to = 8 } },
  look    = { liquid = { colour = {0.85, 0.65, 0.3} } },
  output  = { images = { "clay", view { field = "temperature" } }, video = false },
}
