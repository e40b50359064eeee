-- A room with a fan: a jet of turbulent smoke by the left wall is caught by the fan, and dust that trickles from a shelf is
-- blown about and settles.
return {
  name = "fan-and-dust", method = "smoke",
  domain = { size = {2, 1.2}, cells = 160 },
  time   = { duration = 4, fps = 24 },
  smoke  = { vorticity = 0.3, buoyancy = { temperature = 0.01 } },
  walls  = { all = "no_slip", left = "open", right = "open" },
  obstacles = {
    obstacle { shape = box { min = {0.75, 0.78}, max = {1.15, 0.82} } },   -- the shelf
    obstacle { shape = circle { radius = 0.12 }, at = {1.45, 0.35} },
  },
  sources = {
    jet { at = {0.25, 0.06}, direction = {0.15, 1}, radius = 0.05, speed = 0.8, density = 1, temperature = 40,
          turbulence = turbulence { speed = 0.25, length = 0.06 } },
  },
  forces = {
    fan { shape = rectangle { size = {0.06, 0.5} }, at = {0.5, 0.5}, direction = {1, 0.15}, speed = 1.5, response = 0.05 },
  },
  particles = {
    tracers { shape = rectangle { size = {0.36, 0.03} }, at = {0.95, 0.85}, count = 3000, settle = 0.02 },
    tracers { shape = rectangle { size = {0.3, 0.02} }, at = {0.95, 1.15}, rate = 500, settle = 0.15, response = 0.02 },
  },
  output = { images = { view { field = "density" } }, video = true },
}
