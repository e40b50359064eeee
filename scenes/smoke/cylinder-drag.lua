-- Drag and lift of a cylinder in a channel, as Schäfer & Turek (1996) asked for it: obstacles.csv has the force on it.
-- U = 0.3 m/s is their steady case 2D-1 (Reynolds number 20), U = 1.5 the vortex street of 2D-2 (100).
local U, height, diameter = 0.3, 0.41, 0.1

local function profile(x, y) return 4 * U * y * (height - y) / height^2, 0, 0 end

return {
  name = "cylinder-drag", method = "smoke",
  domain  = { size = {2.2, height}, cells = 440 },      -- 20 cells across the cylinder
  time    = { duration = 8, fps = 10 },
  fluid   = { density = 1, viscosity = 1e-3 },
  smoke   = { advection = "central" },
  walls   = { bottom = "no_slip", top = "no_slip", left = inflow { velocity = profile }, right = "open" },
  initial = { velocity = profile },
  obstacles = { obstacle { shape = circle { radius = diameter / 2 }, at = {0.2, 0.2}, slip = "no_slip" } },
  probes  = { probe { at = {0.15, 0.2}, fields = {"pressure"} }, probe { at = {0.25, 0.2}, fields = {"pressure"} } },
  output  = { images = { view { field = "speed", streamlines = true } } },
}
