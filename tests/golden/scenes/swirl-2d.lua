-- A disc of liquid in a flow that is given.
return {
  method = "liquid",
  domain = { size = {1, 1}, cells = 24 },
  time   = { duration = 0.6, fps = 5 },
  liquid = { volume = "free" },
  fill   = { circle { radius = 0.2, at = {0.5, 0.7} } },
  prescribed = { velocity = function(x, y, z, t)
    local sx, sy = math.sin(math.pi * x), math.sin(math.pi * y)
    return -sx * sx * math.sin(2 * math.pi * y) * (1 - t), sy * sy * math.sin(2 * math.pi * x)
  end },
}
