-- Water between two cylinders, the inner one turning: circular Couette flow. The dye is wound up into a spiral.
return {
  name = "annulus", method = "river",
  time  = { duration = 20, fps = 24 },
  fluid = { viscosity = 0.01 },
  river = {
    cells = {256, 48},
    grid  = annulus { radii = {0.25, 0.5} },
    sides = { s = "periodic", t0 = bank { roughness = 1, speed = 0.25 }, t1 = bank { roughness = 1 } },
    inks  = { red = { initial = function(x, y) return math.abs(y) < 0.05 and x > 0 and 1 or 0 end } },
    particles = 1500,
  },
  look   = { inks = { red = {0.80, 0.15, 0.20} } },
  output = { video = true, images = { view { field = "dyes" }, view { field = "speed" } } },
}
