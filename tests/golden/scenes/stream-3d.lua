-- The same as stream-2d, with a depth.
return {
  method = "river",
  time   = { duration = 0.3, fps = 10 },
  fluid  = { viscosity = 1e-4 },
  river  = {
    cells = {36, 12, 8},
    grid  = channel { centre = { {0, 0}, {1, 0.4}, {2, -0.3}, {3, 0} }, width = function(s) return 0.6 + 0.2 * s end,
                      depth = function(s, t) return 0.3 + 0.4 * t * (1 - t) end },
    sides = { s0 = inflow { speed = function(t) return 0.5 + 0.2 * t end, blue = function(x, y) return y > 0 and 1 or 0 end }, s1 = outflow {},
              t0 = bank { roughness = 1 }, t1 = bank { roughness = 0.5, speed = 0.2 }, r1 = bank { roughness = 0 } },
    obstacles = { cells { from = {14, 4, 0}, to = {16, 7, 5} } },
    inks  = { blue = { diffusion = 1e-4 }, red = { source = cells { from = {2, 4, 2}, to = {3, 7, 5} }, dissipation = 0.1 } },
    particles = { particles { count = 200, renewed = true }, particles { cells = cells { from = {5, 5, 2}, to = {8, 8, 5} }, rate = 300, lifetime = 0.2, seed = 4 } },
  },
}
