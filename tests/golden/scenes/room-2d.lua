-- Walls that drag and heat, and a warm obstacle, at a fixed step.
return {
  method  = "smoke",
  domain  = { size = {1, 1}, cells = 40 },
  time    = { duration = 0.2, fps = 20, dt = 0.02 },
  fluid   = { viscosity = 2e-3 },
  walls   = { left = hot { temperature = 10 }, right = wall { slip = "free_slip", temperature = -10 }, bottom = "no_slip",
              top = lid { velocity = function(x) return x * (1 - x), 0 end } },
  smoke   = { buoyancy = { temperature = 0.1 } },
  scalars = { temperature = { diffusion = 2e-3 } },
  obstacles = { obstacle { shape = circle { radius = 0.15 }, at = {0.45, 0.4}, slip = "no_slip", temperature = 20 } },
}
