-- A leaning channel whose sides all vary along them, with a stream that joins it and one that opens later.
return {
  method = "river",
  time   = { duration = 0.4, fps = 10 },
  fluid  = { viscosity = 1e-3 },
  river  = {
    cells = {64, 16},
    grid  = function(s, t) return 3 * s + 0.3 * t, 0.8 * t + 0.2 * math.sin(4 * s) end,
    sides = {
      s0 = inflow { speed = function(w, t) return 2 * w * (1 - w) + t end, blue = 1 }, s1 = outflow {},
      t0 = bank { inflow = function(s, t) return s > 0.3 and s < 0.45 and 0.8 - t or 0 end, red = function(x) return x end },
      t1 = bank { inflow = function(s, t) return t > 0.15 and math.abs(s - 0.7) < 0.05 and 0.5 or 0 end,
                  roughness = function(s) return s end, speed = function(s, t) return 0.3 * math.cos(6 * s - t) end },
    },
    inks  = { blue = { diffusion = 1e-4 }, red = {} },
    particles = { particles { count = 150, renewed = true } },
  },
}
