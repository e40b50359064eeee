-- The same as smoke-2d, in space.
return {
  method  = "smoke",
  domain  = { size = {1, 1.25, 1}, cells = 16 },
  time    = { duration = 0.2, fps = 20 },
  fluid   = { density = 1.2, viscosity = 1e-4 },
  walls   = { all = "no_slip", top = "open",
              left = inflow { velocity = function(x, y, z, t) return 0.2 + 0.1 * t * y, 0, 0.05 * z end, density = 0.1, ink = 0.5, grain = 0.3,
                              turbulence = turbulence { speed = 0.1, length = 0.3, modes = 20 } },
              right = "open" },
  smoke   = { vorticity = 0.2, buoyancy = { temperature = 0.06, density = 0.3 } },
  scalars = {
    ink   = { diffusion = 1e-3, dissipation = 0.1 },
    fine  = { refine = 2, initial = function(x, y, z) return x < 0.5 and 1 or 0 end },
    grain = { transport = "conservative", diffusion = 1e-4 },
  },
  sources = {
    source { shape = sphere { radius = 0.15 }, at = {0.5, 0.2, 0.5}, density = 1, temperature = 50, ink = 1, grain = 1, velocity = {0, 0.5, 0},
             turbulence = turbulence { speed = 0.2, length = 0.2, modes = 20 } },
    source { shape = box { size = {0.2, 0.2, 0.2} }, at = {0.8, 0.4, 0.4}, density = 2, rate = 3, from = 0.05, to = 0.15 },
  },
  forces  = {
    force { shape = sphere { radius = 0.2 }, at = {0.3, 0.6, 0.4}, value = function(x, y, z, t) return 2 * y, -x, z end },
    fan { shape = box { size = {0.15, 0.3, 0.3} }, at = {0.7, 0.6, 0.5}, direction = {1, 0.5, 0.2}, speed = 0.8, response = 0.1 },
  },
  particles = {
    tracers { per_cell = 0.1, settle = 0.1 },
    tracers { shape = sphere { radius = 0.1 }, at = {0.5, 0.25, 0.5}, rate = 800, lifetime = 0.1, response = 0.05, seed = 7 },
  },
  obstacles = {
    obstacle { shape = sphere { radius = 0.15 }, at = {0.3, 0.9, 0.5}, slip = "no_slip" },
    obstacle { shape = box { size = {0.3, 0.1, 0.3}, round = 0.02 }, path = function(t) return 0.65 + 0.3 * t, 0.95 - t * t, 0.5 end, spin = {0, 1, 1, 90} },
  },
}
