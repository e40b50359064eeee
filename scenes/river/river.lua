-- A river, drawn by a few points and a width: channel{} makes a smooth course with two banks of them. It narrows, and opens into a pool where eddies
-- turn beside the stream. Water comes in with two dyes.
local function bump(s, at, wide) return math.exp(-((s - at) / wide)^2) end

return {
  name = "river", method = "river",
  time  = { duration = 40, fps = 24 },
  river = {
    cells = {1000, 100},
    grid  = channel { centre = { {0, 0}, {5, 0.5}, {8, 3.2}, {12, 4}, {15.5, 1.5}, {19, -1.2}, {23, 0}, {26, 2}, {30, 2.2} },
                      width = function(s) return 1.8 - 0.9 * bump(s, 0.36, 0.05) + 2.2 * bump(s, 0.52, 0.06) - 0.7 * bump(s, 0.68, 0.05) + bump(s, 0.82, 0.05) end },
    sides = { s0 = inflow { speed = 1, clear = function(x, y) return y > 0 and 1 or 0 end, brown = function(x, y) return y <= 0 and 1 or 0 end },
              s1 = outflow {}, t0 = bank { roughness = 1 }, t1 = bank { roughness = 1 } },
    inks  = { clear = { diffusion = 1e-4 }, brown = { diffusion = 1e-4 } },
    particles = 1500,
    bed = function(x, y) return 0.3 * math.sin(0.9 * x) * math.cos(1.1 * y) end,
  },
  look   = { inks = { clear = {0.10, 0.42, 0.72}, brown = {0.62, 0.42, 0.20} }, particles = { colour = {0.95, 0.95, 0.90} }, width = 1200 },
  output = { video = true, images = { view { field = "dyes" }, view { field = "speed" }, view { field = "pressure" } } },
}
