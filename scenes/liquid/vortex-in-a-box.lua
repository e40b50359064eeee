-- LeVeque's vortex draws a disc out to a thread that is thinner than a cell, then turns back: at t = 8 s the disc should be
-- there again. What a tracker has lost on the way is lost for good.
return {
  name = "vortex-in-a-box", method = "liquid",
  domain = { size = {1, 1}, cells = 128 },
  time   = { duration = 8, fps = 6 },
  liquid = { surface = "particle_level_set", transport = "weno5", volume = "free" },
  fill   = { circle { radius = 0.15, at = {0.5, 0.75} } },
  prescribed = { velocity = function(x, y, z, t)
    local sx, sy, back = math.sin(math.pi * x), math.sin(math.pi * y), math.cos(math.pi * t / 8)
    return -sx * sx * math.sin(2 * math.pi * y) * back, sy * sy * math.sin(2 * math.pi * x) * back
  end },
  output = { video = true },
}
