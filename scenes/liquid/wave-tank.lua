-- A paddle swings at one end of a tank. Its waves run along and break on a beach of slope 1 : 4.
local stroke, period = 0.06, 1.2            -- m to each side, s

return {
  name = "wave-tank", method = "liquid",
  domain = { size = {4, 0.8}, cells = 256 },
  time   = { duration = 12, fps = 24 },
  walls  = { all = "free_slip", top = "open" },
  liquid = { surface = "flip" },
  fill   = { box { min = {0, 0}, max = {4, 0.35} } },
  obstacles = {
    obstacle {
      shape = box { min = {-0.05, -0.1}, max = {0.05, 0.9} },
      path  = function(t) return 0.2 + stroke * (1 - math.cos(2 * math.pi * t / period)) / 2, 0 end,
    },
    obstacle { shape = polygon { {2.2, -0.2}, {4.2, -0.2}, {4.2, 0.5} , {2.2, 0} } },
  },
  output = { video = true },
}
