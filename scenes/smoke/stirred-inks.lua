-- A stirrer with four blades folds two inks into each other in a closed tank. The blades push what they sweep: no force is
-- given, the flow comes from their walls alone.
local function blade(degrees)
  return box { size = {0.62, 0.045}, round = 0.02, rotation = degrees }
end

return {
  name = "stirred-inks", method = "smoke",
  domain  = { size = {1.6, 1}, cells = 256 },
  time    = { duration = 10, fps = 24 },
  fluid   = { density = 1000, viscosity = 2e-5 },
  walls   = { all = "no_slip" },
  scalars = {
    rose = { initial = function(x, y) return x < 0.8 and 1 or 0 end },
    jade = { initial = function(x, y) return x >= 0.8 and 1 or 0 end },
  },
  obstacles = {
    -- it swings slowly from side to side while it turns
    obstacle { shape = union { blade(0), blade(90) }, slip = "no_slip", spin = 100,
               path = function(t) return 0.8 + 0.36 * math.sin(0.8 * t), 0.5 end },
  },
  look    = { inks = { rose = {0.93, 0.36, 0.42}, jade = {0.10, 0.55, 0.52} }, obstacle = { colour = {0.95, 0.95, 0.93} } },
  output  = { video = true, images = { view { field = "dyes" }, view { field = "speed", streamlines = true } } },
}
