-- A channel that narrows to half its width (after Barroso & Celes, figures 6 and 7): twice the speed and low pressure in the throat; without viscosity
-- the jet shoots on into the wide part, and eddies stand beside it.
--   smooth and viscous:  --set fluid.viscosity=0.01 --set river.sides.t0.roughness=0 --set river.sides.t1.roughness=0
--   coarse:              --set river.cells={100,20}
return {
  name = "constricted-path", method = "river",
  time  = { duration = 14, fps = 24 },
  river = {
    cells = {1000, 100},
    grid  = venturi { length = 10, width = 1.6, throat = 0.5 },
    sides = { s0 = inflow { speed = 1, blue = function(x, y) return math.floor(8 * y) % 2 end }, s1 = outflow {},
              t0 = bank { roughness = 1 }, t1 = bank { roughness = 1 } },
    inks  = { blue = {} },
    particles = 4000,
  },
  look   = { inks = { blue = {0.10, 0.30, 0.85} }, width = 1100 },
  output = { video = true, images = { view { field = "dyes", particles = false }, view { field = "speed" }, view { field = "velocity" }, view { field = "pressure" } } },
}
