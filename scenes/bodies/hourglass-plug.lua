-- An hourglass of water whose neck is plugged by a ball of lead: nothing comes through. After two seconds a thread pulls the
-- ball up, and the water runs out. The front of the vessel is cut off by a pane of glass, so that one sees into it: the side
-- of the domain, close before the ball, which leaves the neck whole.
local pane = 0.325
local glass = difference { box { min = {0, 0.02, 0}, max = {0.5, 0.98, 0.5} },
  revolve { polygon { {0, 0.05}, {0.2, 0.05}, {0.2, 0.2}, {0.045, 0.48}, {0.045, 0.52}, {0.2, 0.8}, {0.2, 1.1}, {0, 1.1} }, at = {0.25, 0, 0.25} } }

return {
  name = "hourglass-plug", method = "liquid",
  domain = { size = {0.5, 1, pane}, cells = 80 },
  time   = { duration = 5, fps = 48 },
  fluid  = { density = 1000, viscosity = 1e-6 },
  walls  = { all = "free_slip", top = "open" },
  obstacles = { obstacle { shape = glass } },
  fill   = { difference { cylinder { radius = 0.2, height = 0.28, at = {0.25, 0.66, 0.25} }, glass } },
  bodies = {
    body { name = "plug", shape = sphere { radius = 0.065 }, at = {0.25, 0.574, 0.25}, density = 11000, bounce = 0,
           force = function(t) return 0, t > 2 and 165 or 0, 0 end }, -- it weighs 124 N, and water lies on it
  },
  camera = { eye = {0.42, 0.66, 2.3}, target = {0.25, 0.47, 0.2}, fov = 30 },
  look   = { obstacle = { colour = {0.8, 0.72, 0.62} }, light = {0.35, 0.5, 0.8} },
  output = { video = true },
}
