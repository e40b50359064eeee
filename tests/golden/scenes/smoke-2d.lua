-- Everything that smoke can do, in one small box: jets and gusts with turbulence, a fan, a force, obstacles that stand and move,
-- scalars of every transport, particles of every kind.
return {
  method  = "smoke",
  domain  = { size = {1, 1.25}, cells = 40 },
  time    = { duration = 0.2, fps = 20 },
  fluid   = { density = 1.2, viscosity = 1e-4 },
  walls   = { all = "no_slip", top = "open",
              left = inflow { velocity = function(x, y, z, t) return 0.2 + 0.1 * t * y, 0 end, density = 0.1, ink = 0.5, grain = 0.3,
                              turbulence = turbulence { speed = 0.1, length = 0.3, modes = 20 } },
              right = "open" },
  smoke   = { vorticity = 0.2, buoyancy = { temperature = 0.06, density = 0.3 } },
  scalars = {
    ink   = { diffusion = 1e-3, dissipation = 0.1 },
    fine  = { refine = 2, initial = function(x, y) return x < 0.5 and 1 or 0 end },
    grain = { transport = "conservative", diffusion = 1e-4 },
  },
  sources = {
    source { shape = circle { radius = 0.12 }, at = {0.5, 0.2}, density = 1, temperature = 50, ink = 1, grain = 1, velocity = {0, 0.5},
             turbulence = turbulence { speed = 0.2, length = 0.1, modes = 20 } },
    source { shape = box { size = {0.1, 0.1} }, at = {0.8, 0.4}, density = 2, rate = 3, from = 0.05, to = 0.15 },
  },
  forces  = {
    force { shape = circle { radius = 0.2 }, at = {0.3, 0.6}, value = function(x, y, z, t) return 2 * y, -x end },
    fan { shape = rectangle { size = {0.1, 0.3} }, at = {0.7, 0.6}, direction = {1, 0.5}, speed = 0.8, response = 0.1 },
  },
  particles = {
    tracers { per_cell = 0.2, settle = 0.1 },
    tracers { shape = circle { radius = 0.1 }, at = {0.5, 0.25}, rate = 800, lifetime = 0.1, response = 0.05, seed = 7 },
  },
  obstacles = {
    obstacle { shape = circle { radius = 0.13 }, at = {0.3, 0.9}, slip = "no_slip" },
    obstacle { shape = box { size = {0.3, 0.06}, round = 0.02 }, path = function(t) return 0.65 + 0.3 * t, 0.95 - t * t end, spin = 90 },
  },
}
