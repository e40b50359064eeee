-- A path with bends (after Barroso & Celes, figures 4 and 5). Rough banks and no viscosity: eddies stand behind the inner corners.
--   smooth and viscous:  --set fluid.viscosity=0.01 --set river.sides.t0.roughness=0 --set river.sides.t1.roughness=0
--   coarse:              --set river.cells={100,20}
local length, width = 10, 1

-- up and down in ramps whose ends are short bends
local function ramp(x, from, to)
  local q = math.max(0, math.min(1, (x - from) / (to - from)))
  return q * q * (3 - 2 * q)
end
local function centre(x) return 1.6 * (ramp(x, 2, 3.2) - ramp(x, 4.6, 5.8) + ramp(x, 7.2, 8.4)) end

local function stripes(x, y) return math.floor(10 * y / width) % 2 end

return {
  name = "curved-path", method = "river",
  time  = { duration = 12, fps = 24 },
  river = {
    cells = {500, 100},
    grid  = function(s, t) return length * s, centre(length * s) + width * (t - 0.5) end,
    sides = { s0 = inflow { speed = 1, blue = stripes }, s1 = outflow {}, t0 = bank { roughness = 1 }, t1 = bank { roughness = 1 } },
    inks  = { blue = {} },
    particles = 4000,
  },
  look   = { inks = { blue = {0.10, 0.30, 0.85} }, width = 1100 },
  output = { video = true, images = { view { field = "dyes", particles = false }, view { field = "speed" }, view { field = "velocity" }, view { field = "pressure" } } },
}
