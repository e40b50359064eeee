-- Honey pours from a hand's breadth above and piles up: a viscosity at which an explicit step would be microseconds long is
-- solved implicitly, and the step stays that of the falling stream.
return {
  name = "honey-sph", method = "sph",
  domain  = { size = {0.16, 0.14, 0.16} },
  time    = { duration = 2.5, fps = 30 },
  fluid   = { density = 1420, viscosity = 7e-3 },
  walls   = { all = "no_slip", top = "open" },
  sph     = { spacing = 0.002 },
  sources = { source { shape = cylinder { radius = 0.006, height = 0.004 }, at = {0.08, 0.095, 0.08}, velocity = {0, -0.6, 0} } },
  obstacles = { obstacle { shape = cylinder { radius = 0.06, height = 0.012 }, at = {0.08, 0.006, 0.08}, slip = "no_slip" } },
  camera  = { eye = {0.08, 0.13, 0.42}, target = {0.08, 0.045, 0.08} },
  look    = { liquid = { colour = {0.85, 0.48, 0.06} } },
  output  = { video = true },
}
