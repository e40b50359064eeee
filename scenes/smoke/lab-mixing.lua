-- Three dyes in a periodic tray, folded by two standing waves that take turns.
local function blob(x0, y0)
  return function(x, y)
    local dx, dy = x - x0, y - y0
    dx, dy = dx - math.floor(dx + 0.5), dy - math.floor(dy + 0.5)
    return 1 / (1 + math.exp((math.sqrt(dx * dx + dy * dy) - 0.17) / 0.006))
  end
end

return {
  name = "lab-mixing", method = "smoke",
  domain  = { size = {1, 1}, cells = 256 },
  time    = { duration = 8, fps = 24 },
  fluid   = { density = 1000, viscosity = 1e-4 },
  walls   = { all = "periodic" },
  scalars = {
    cyan    = { diffusion = 2e-6, initial = blob(0.2, 0.25) },
    magenta = { diffusion = 2e-6, initial = blob(0.75, 0.35) },
    yellow  = { diffusion = 2e-6, initial = blob(0.45, 0.78) },
  },
  forces  = {
    force { value = function(x, y, z, t)
      local first = math.floor(t / 0.8) % 2 == 0
      if first then return 1.6 * math.sin(2 * math.pi * y + 0.9 * math.floor(t / 0.8)), 0, 0 end
      return 0, 1.6 * math.sin(2 * math.pi * x + 1.7 * math.floor(t / 0.8)), 0
    end },
  },
  look    = { inks = { cyan = {0.1, 0.75, 0.95}, magenta = {0.95, 0.2, 0.6}, yellow = {1, 0.85, 0.2} } },
  output  = { video = true },
}
