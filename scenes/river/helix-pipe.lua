-- A square pipe wound up to a helix: the bend drives water outwards in its middle and back along its sides, so that the dye turns over (Dean 1927).
local radius, pitch, turns, side = 1, 0.8, 2, 0.4

return {
  name = "helix-pipe", method = "river",
  time  = { duration = 12, fps = 24 },
  fluid = { viscosity = 2e-3 },
  river = {
    cells = {192, 20, 20},
    grid  = function(s, t, r)
      local angle = 2 * math.pi * turns * s
      local reach = radius + side * (t - 0.5)
      return reach * math.cos(angle), pitch * turns * s + side * (r - 0.5), -reach * math.sin(angle)
    end,
    sides = { s0 = inflow { speed = 1, orange = function(x, y) return y > 0 and 1 or 0 end }, s1 = outflow {} },
    inks  = { orange = {} },
    particles = 3000,
  },
  look   = { inks = { orange = {0.95, 0.50, 0.10} } },
  output = { video = true, images = { view { field = "volume", particles = false } } },
}
