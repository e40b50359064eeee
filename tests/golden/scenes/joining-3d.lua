-- A trough with a rough and a smooth half of its bed, and a spring in its side.
return {
  method = "river",
  time   = { duration = 0.3, fps = 10 },
  fluid  = { viscosity = 1e-3 },
  river  = {
    cells = {24, 8, 6},
    grid  = function(s, t, r) return 2 * s, 0.7 * t + 0.1 * math.sin(5 * s), 0.4 * r end,
    sides = {
      s0 = inflow { speed = function(w, z) return 0.4 + 0.3 * z end, blue = 1 }, s1 = outflow {},
      t0 = bank { inflow = function(s, r, t) return math.abs(s - 0.4) < 0.12 and r > 0.5 and 0.6 + t or 0 end },
      t1 = bank { speed = function(s, r) return 0.2 * s * r end },
      r0 = bank { roughness = function(s, w) return w < 0.5 and 1 or 0.2 end }, r1 = bank { roughness = 0 },
    },
    inks  = { blue = {} },
    particles = { particles { count = 80, renewed = true } },
  },
}
