-- The same as dam-2d, in space.
return {
  method  = "sph",
  domain  = { size = {1, 0.8, 0.4} },
  time    = { duration = 0.06, fps = 50 },
  fluid   = { density = 1000, viscosity = 1e-5 },
  sph     = { spacing = 0.05 },
  walls   = { top = "open" },
  fill    = { box { min = {0, 0, 0}, max = {0.3, 0.5, 0.4} }, fluid_in { shape = sphere { radius = 0.1 }, at = {0.6, 0.5, 0.2}, velocity = {0.3, -1, 0.1} } },
  sources = { source { shape = box { size = {0.15, 0.2, 0.15} }, at = {0.85, 0.65, 0.2}, velocity = {0, -1, 0} } },
  sinks   = { sink { shape = box { min = {0.9, 0, 0}, max = {1, 0.1, 0.4} } } },
  forces  = { force { shape = sphere { radius = 0.2 }, at = {0.2, 0.2, 0.2}, value = function(x, y, z, t) return 3 * y, 2, z end } },
  obstacles = {
    obstacle { shape = sphere { radius = 0.1 }, at = {0.5, 0.1, 0.2} },
    obstacle { shape = box { size = {0.2, 0.1, 0.2} }, path = function(t) return 0.45 - t, 0.32, 0.2 end, spin = {0, 0, 1, 200} },
  },
}
