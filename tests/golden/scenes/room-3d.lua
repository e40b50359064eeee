-- The same as room-2d, in space.
return {
  method  = "smoke",
  domain  = { size = {1, 1, 0.75}, cells = 16 },
  time    = { duration = 0.2, fps = 20, dt = 0.02 },
  fluid   = { viscosity = 2e-3 },
  walls   = { left = hot { temperature = 10 }, right = wall { slip = "free_slip", temperature = -10 }, bottom = "no_slip",
              top = lid { velocity = function(x) return x * (1 - x), 0, 0.1 end } },
  smoke   = { buoyancy = { temperature = 0.1 } },
  scalars = { temperature = { diffusion = 2e-3 } },
  obstacles = { obstacle { shape = sphere { radius = 0.2 }, at = {0.45, 0.4, 0.4}, slip = "no_slip", temperature = 20 } },
}
