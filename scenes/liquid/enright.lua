-- Enright's test: a ball is drawn out to a thin bent sheet, which the flow then winds back. At t = 3 s it should be the ball
-- again. The test of 2002 has 100 cells; here are 64.
return {
  name = "enright", method = "liquid",
  domain = { size = {1, 1, 1}, cells = 64 },
  time   = { duration = 3, fps = 16 },
  liquid = { surface = "particle_level_set", transport = "weno5", volume = "free" },
  fill   = { sphere { radius = 0.15, at = {0.35, 0.35, 0.35} } },
  prescribed = { velocity = function(x, y, z, t)
    local sx, sy, sz = math.sin(math.pi * x), math.sin(math.pi * y), math.sin(math.pi * z)
    local dx, dy, dz = math.sin(2 * math.pi * x), math.sin(2 * math.pi * y), math.sin(2 * math.pi * z)
    local back = math.cos(math.pi * t / 3)
    return 2 * sx * sx * dy * dz * back, -dx * sy * sy * dz * back, -dx * dy * sz * sz * back
  end },
  output = { video = true },
}
