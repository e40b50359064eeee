-- A column of water falls past an obstacle that stands and one that moves, while more is poured in and some drains.
return {
  method  = "sph",
  domain  = { size = {1, 0.8} },
  time    = { duration = 0.08, fps = 50 },
  fluid   = { density = 1000, viscosity = 1e-5 },
  sph     = { spacing = 0.025 },
  walls   = { top = "open" },
  fill    = { box { min = {0, 0}, max = {0.3, 0.5} }, fluid_in { shape = circle { radius = 0.08 }, at = {0.6, 0.5}, velocity = {0.3, -1} } },
  sources = { source { shape = box { size = {0.1, 0.1} }, at = {0.85, 0.65}, velocity = {-0.5, -1} } },
  sinks   = { sink { shape = box { min = {0.9, 0}, max = {1, 0.05} } } },
  forces  = { force { shape = circle { radius = 0.2 }, at = {0.2, 0.2}, value = function(x, y, z, t) return 3 * y, 2 end } },
  obstacles = {
    obstacle { shape = circle { radius = 0.08 }, at = {0.5, 0.1} },
    obstacle { shape = box { size = {0.2, 0.06} }, path = function(t) return 0.45 - t, 0.32 end, spin = 200 },
  },
}
