-- A river, drawn by a few points and a width: channel{} makes a smooth course with two banks of them. Water comes in with two dyes.
return {
  name = "river", method = "river",
  time  = { duration = 30, fps = 24 },
  river = {
    cells = {1000, 100},
    grid  = channel { centre = { {0, 0}, {5, 0.5}, {8, 3.2}, {12, 4}, {15.5, 1.5}, {19, -1.2}, {23, 0}, {26, 2}, {30, 2.2} },
                      width = function(s) return 2 - 0.7 * math.exp(-((s - 0.42) / 0.06)^2) + 0.6 * math.exp(-((s - 0.72) / 0.08)^2) end },
    sides = { s0 = inflow { speed = 1.2, clear = function(x, y) return y > 0.1 and 1 or 0 end, brown = function(x, y) return y <= 0.1 and 1 or 0 end },
              s1 = outflow {}, t0 = bank { roughness = 0.6 }, t1 = bank { roughness = 0.6 } },
    inks  = { clear = { diffusion = 2e-4 }, brown = { diffusion = 2e-4 } },
    particles = 6000,
    bed = function(x, y) return 0.3 * math.sin(0.9 * x) * math.cos(1.1 * y) end,
  },
  look   = { inks = { clear = {0.10, 0.42, 0.72}, brown = {0.55, 0.38, 0.20} }, width = 1200 },
  output = { video = true, images = { view { field = "dyes" }, view { field = "speed" }, view { field = "pressure" } } },
}
