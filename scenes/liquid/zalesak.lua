-- Zalesak's slotted disc turns once about the middle of the square in a given flow and should come back as it was. The
-- sharp corners show what a tracker loses: compare --set liquid.surface=level_set with particle_level_set, markers and flip.
return {
  name = "zalesak", method = "liquid",
  domain = { size = {100, 100}, cells = 100 },
  time   = { duration = 628, fps = 1 / 26.1666666667, dt = 1 },   -- 24 pictures, 628 steps
  liquid = { surface = "particle_level_set", transport = "weno5", volume = "free" },
  fill   = {
    difference {
      circle { radius = 15, at = {50, 75} },
      box { min = {47.5, 50}, max = {52.5, 85} },
    },
  },
  prescribed = { velocity = function(x, y) return math.pi / 314 * (50 - y), math.pi / 314 * (x - 50) end },
  output = { video = true },
}
