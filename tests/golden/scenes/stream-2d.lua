-- A winding stream with blocks in it, inks of every transport and particles of every kind.
return {
  method = "river",
  time   = { duration = 0.4, fps = 10 },
  fluid  = { viscosity = 1e-4 },
  river  = {
    cells = {80, 20},
    grid  = channel { centre = { {0, 0}, {1, 0.4}, {2, -0.3}, {3, 0} }, width = function(s) return 0.6 + 0.2 * s end },
    sides = { s0 = inflow { speed = function(t) return 0.5 + 0.2 * t end, blue = function(x, y) return y > 0 and 1 or 0 end }, s1 = outflow {},
              t0 = bank { roughness = 1 }, t1 = bank { roughness = 0.5, speed = 0.2 } },
    obstacles = { cells { from = {30, 7}, to = {35, 12} }, cells { from = {55, 0}, to = {58, 5} } },
    inks  = { blue = { diffusion = 1e-4 }, red = { source = cells { from = {2, 8}, to = {4, 11} }, dissipation = 0.1 },
              green = { source = cells { from = {10, 3}, to = {12, 5} }, rate = 2, from = 0.1, to = 0.3 } },
    particles = { particles { count = 200, renewed = true }, particles { cells = cells { from = {5, 5}, to = {8, 14} }, rate = 300, lifetime = 0.2, seed = 4 } },
  },
}
