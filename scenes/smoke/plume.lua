-- A warm plume of smoke rises past a ball.
return {
  name = "plume", method = "smoke",
  domain  = { size = {1, 1.5, 1}, cells = {64, 96, 64} },
  time    = { duration = 4, fps = 24 },
  walls   = { all = "free_slip", top = "open" },
  smoke   = { buoyancy = { temperature = 0.05, density = 0.2 }, vorticity = 0.25 },
  scalars = { density = { dissipation = 0.08 }, temperature = { dissipation = 0.3 } },
  sources = {
    source {
      shape = cylinder { radius = 0.11, height = 0.06 }, at = {0.5, 0.1, 0.5},
      density = 1, temperature = function(x, y, z, t) return 60 + 12 * math.sin(9 * t + 8 * x) * math.cos(7 * t - 9 * z) end,
    },
  },
  obstacles = { obstacle { shape = sphere { radius = 0.14 }, at = {0.53, 0.62, 0.5} } },
  camera  = { eye = {1.3, 1.0, 3.7}, target = {0.5, 0.68, 0.5}, fov = 27 },
  look    = { smoke = { opacity = 22 }, obstacle = { colour = {0.75, 0.45, 0.35} }, width = 600, height = 720 },
  output  = { video = true },
}
