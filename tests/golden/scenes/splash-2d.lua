-- Everything that a liquid on a grid can do, in one small tank: a pool, a drop, a blob that is thrown in later, a tap with ink,
-- a drain, water that comes in below a level, a force, obstacles that stand and move, tracers.
return {
  method  = "liquid",
  domain  = { size = {1, 0.8}, cells = 30 },
  time    = { duration = 0.15, fps = 20 },
  fluid   = { density = 1000, viscosity = 1e-4 },
  walls   = { all = "no_slip", top = "open", left = inflow { velocity = {0.3, 0}, level = 0.2, ink = 0.5 }, right = "free_slip" },
  scalars = { ink = { diffusion = 1e-4, initial = function(x, y) return x < 0.5 and 1 or 0 end } },
  fill    = {
    box { min = {0, 0}, max = {1, 0.25} },
    fluid_in { shape = circle { radius = 0.1 }, at = {0.55, 0.45}, velocity = {0.4, -1.5}, ink = 0.8 },
    fluid_in { shape = circle { radius = 0.06 }, at = {0.2, 0.6}, velocity = {0, -1}, from = 0.07 },
  },
  sources = { source { shape = box { size = {0.12, 0.1} }, at = {0.85, 0.65}, velocity = {0, -1}, ink = 1 } },
  sinks   = { sink { shape = box { min = {0.9, 0}, max = {1, 0.08} } } },
  forces  = { force { shape = circle { radius = 0.2 }, at = {0.3, 0.2}, value = function(x, y, z, t) return 3 * y, 2 end } },
  particles = { tracers { shape = box { min = {0, 0}, max = {1, 0.2} }, per_cell = 0.2 } },
  obstacles = {
    obstacle { shape = circle { radius = 0.08 }, at = {0.35, 0.12} },
    obstacle { shape = box { size = {0.2, 0.1} }, path = function(t) return 0.6 - t, 0.15 end, spin = 200, slip = "no_slip" },
  },
}
