-- A brown stream joins a blue river through part of its bank: `inflow` says with which speed water enters at each share
-- of the way along the bank, and 0 leaves it a bank. The stream swells and falls. Downstream of the mouth the far bank
-- is of smooth rock.
local function mouth(s, t)
  local x = (s - 0.3) / 0.035                             -- −1 and 1 at the ends of the mouth
  return math.abs(x) < 1 and (0.9 + 0.3 * math.sin(0.8 * t)) * (1 - x * x) or 0
end

return {
  method = "river",
  time   = { duration = 16, fps = 24 },
  fluid  = { viscosity = 1e-3 },
  river  = {
    cells = {300, 45},
    grid  = channel { centre = { {0, 0}, {4, 0.4}, {7, 2.2}, {11, 2.8}, {15, 1} }, width = 1.8 },
    sides = {
      s0 = inflow { speed = function(s, t) return 2.4 * s * (1 - s) end, blue = 1 },
      s1 = outflow {},
      t0 = bank { inflow = mouth, brown = 1 },
      t1 = bank { roughness = function(s) return s < 0.5 and 1 or 0 end },
    },
    inks  = { blue = { initial = 1 }, brown = {} },
    particles = 1500,
  },
  look   = { inks = { blue = { 0.12, 0.38, 0.75 }, brown = { 0.55, 0.33, 0.12 } } },
  output = { video = true, images = { view { field = "dyes" }, view { field = "speed" } } },
}
