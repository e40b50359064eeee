-- A warm plume of smoke rises past a ball.
return {
  name = "plume", method = "smoke",
  domain  = { size = {1, 1.5, 1}, cells = {64, 96, 64} },
  time    = { duration = 4, fps = 24 },
  walls   = { all = "free_slip", top = "open" },
  smoke   = { buoyancy = { temperature = 0.05, density = 0.2 }, vorticity = 0.35 },
  scalars = { density = { dissipation = 0.08 }, temperature = { dissipation = 0.3 } },
  sources = {
    source {
      shape = cylinder { radius = 0.11, height = 0.06 }, at = {0.5, 0.1, 0.5},
      density = 1, temperature = function(x, y, z, t) return 60 + 12 * math.sin(9 * t + 8 * x) * math.cos(7 * t - 9 * z) end,
    },
  },
  obstacles = { obstacle { shape = sphere { radius = 0.14 }, at = {0.53, 0.62, 0.5} } },
  output  = { video = true },
}
