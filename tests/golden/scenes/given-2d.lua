-- A flow that is given carries inks and particles.
return {
  method  = "smoke",
  domain  = { size = {1, 1}, cells = 40 },
  time    = { duration = 0.2, fps = 20 },
  prescribed = { velocity = function(x, y, z, t) return 0.5 - y + 0.2 * t, x - 0.5 end },
  walls   = { all = "open" },
  scalars = {
    ink  = { initial = function(x, y) return x < 0.5 and 1 or 0 end, diffusion = 1e-4 },
    sand = { transport = "conservative", initial = function(x, y) return y < 0.5 and 1 or 0 end },
  },
  sources = { source { shape = circle { radius = 0.1 }, at = {0.5, 0.7}, density = 1 } },
  particles = { tracers { per_cell = 0.2, settle = 0.1, response = 0.02 } },
}
