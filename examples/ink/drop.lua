-- A vortex between closed walls winds up a drop of ink.
return {
  method = "ink",
  domain = { size = {1, 1}, cells = 64 },
  time = { duration = 0.5, fps = 10 },
  ink = { diffusion = 2e-4 },
  initial = { ink = function(x, y) return (x - 0.5)^2 + (y - 0.75)^2 < 0.02 and 1 or 0 end },
  prescribed = { velocity = function(x, y)
    local u = -math.sin(math.pi * x)^2 * math.sin(2 * math.pi * y)
    return u, math.sin(math.pi * y)^2 * math.sin(2 * math.pi * x)
  end },
  probes = { probe{ at = {0.5, 0.75}, fields = {"ink"} } },
}
