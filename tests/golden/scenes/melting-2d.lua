-- Heat in a liquid on a grid: a block that melts on a hot floor beside a warm obstacle, under a heater and a tap of hot liquid; a
-- cold blob is thrown in.
return {
  method  = "liquid",
  domain  = { size = {1, 0.8}, cells = 30 },
  time    = { duration = 0.2, fps = 20 },
  walls   = { all = "no_slip", top = "open", bottom = wall { slip = "no_slip", temperature = 90 } },
  heat    = {
    diffusivity = 1e-3, ambient = 20, loss = 0.01, expansion = 1e-3, latent = 30,
    melt = { from = 50, to = 60, solid = 100, liquid = 1e-3, curve = "quadratic" },
  },
  fill    = {
    fluid_in { shape = box { min = {0.3, 0}, max = {0.7, 0.4} }, temperature = function(x, y) return 40 + 40 * x end },
    fluid_in { shape = circle { radius = 0.08 }, at = {0.2, 0.6}, velocity = {0, -2}, temperature = 10, from = 0.07 },
  },
  sources = {
    source { shape = circle { radius = 0.2 }, at = {0.7, 0.4}, temperature = 1, rate = 100 },
    source { shape = box { size = {0.1, 0.1} }, at = {0.85, 0.65}, velocity = {0, -1}, temperature = 80, from = 0.1 },
  },
  obstacles = { obstacle { shape = circle { radius = 0.1 }, at = {0.25, 0.1}, temperature = 70, slip = "no_slip" } },
}
