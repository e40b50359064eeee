-- A vortex street behind a cylinder, Reynolds number 150.
local speed, diameter = 1, 0.2
return {
  name = "karman", method = "smoke",
  domain  = { size = {4, 1.2}, cells = 400 },
  time    = { duration = 12, fps = 24, cfl = 1 },
  fluid   = { density = 1, viscosity = speed * diameter / 150 },
  walls   = { bottom = "free_slip", top = "free_slip", right = "open",
              left = inflow { velocity = {speed, 0}, ink = function(x, y) return math.floor(y / 0.06) % 2 end } },
  scalars = { ink = {} },
  -- a slight push upwards at the start spares the wait for the street to begin
  initial = { velocity = function(x, y) return speed, 0.1 * speed * math.exp(-((x - 1)^2 + (y - 0.6)^2) / 0.05), 0 end },
  obstacles = { obstacle { shape = circle { radius = diameter / 2 }, at = {0.8, 0.6}, slip = "no_slip" } },
  probes  = { probe { at = {1.4, 0.7}, fields = {"u", "v", "pressure"}, every = 0.02 } },
  output  = { video = true, images = { view { field = "dyes" }, view { field = "vorticity", range = {-12, 12} } } },
}
