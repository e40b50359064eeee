-- Water between two rings of which the inner one turns; its start is given, its inks are kept in amount.
return {
  method = "river",
  time   = { duration = 0.4, fps = 10 },
  fluid  = { viscosity = 1e-3 },
  river  = {
    cells = {64, 16},
    grid  = annulus { radii = {0.5, 1} },
    sides = { s = "periodic", t0 = bank { speed = 0.5 }, t1 = bank { roughness = 1 } },
    inks  = { sand = { initial = function(x, y) return x > 0 and 1 or 0 end, transport = "conservative" } },
    particles = 200,
  },
  initial = { velocity = function(x, y) return -0.2 * y, 0.2 * x end },
}
