-- A vortex street behind a cylinder, Reynolds number 150.
local speed, diameter = 1, 0.2

-- stripes of ink in the part of the inflow between two heights
local function stripes(from, to)
  return function(x, y) return y > from and y < to and math.floor(y / 0.04) % 2 or 0 end
end

return {
  name = "karman", method = "smoke",
  domain  = { size = {4, 1.2}, cells = 400 },
  time    = { duration = 12, fps = 24, cfl = 1 },
  fluid   = { density = 1, viscosity = speed * diameter / 150 },
  walls   = { bottom = "free_slip", top = "free_slip", right = "open",
              left = inflow { velocity = {speed, 0}, upper = stripes(0.6, 1.2), lower = stripes(0, 0.6) } },
  scalars = { upper = {}, lower = {} },
  -- a slight push upwards at the start spares the wait for the street to begin
  initial = { velocity = function(x, y) return speed, 0.1 * speed * math.exp(-((x - 1)^2 + (y - 0.6)^2) / 0.05), 0 end },
  obstacles = { obstacle { shape = circle { radius = diameter / 2 }, at = {0.8, 0.6}, slip = "no_slip" } },
  probes  = { probe { at = {1.4, 0.7}, fields = {"u", "v", "pressure"}, every = 0.02 } },
  look    = { inks = { upper = {1, 0.55, 0.15}, lower = {0.2, 0.6, 1} } },
  output  = { video = true, images = { view { field = "dyes" }, view { field = "vorticity", range = {-12, 12} } } },
}
