-- The same as given-2d, in space.
return {
  method  = "smoke",
  domain  = { size = {1, 1, 1}, cells = 16 },
  time    = { duration = 0.2, fps = 20 },
  prescribed = { velocity = function(x, y, z, t) return 0.5 - y + 0.2 * t, x - 0.5, 0.1 end },
  walls   = { all = "open" },
  scalars = {
    ink  = { initial = function(x, y, z) return x < 0.5 and 1 or 0 end, diffusion = 1e-4 },
    sand = { transport = "conservative", initial = function(x, y, z) return y < 0.5 and 1 or 0 end },
  },
  sources = { source { shape = sphere { radius = 0.1 }, at = {0.5, 0.7, 0.5}, density = 1 } },
  particles = { tracers { per_cell = 0.1, settle = 0.1, response = 0.02 } },
}
