-- A column of water breaks in a tank, runs along the floor, climbs the far wall and falls back as a roller.
return {
  name = "dam-wall", method = "liquid",
  domain = { size = {1.6, 0.8, 0.4}, cells = 64 },
  time   = { duration = 3, fps = 24 },
  walls  = { all = "free_slip", top = "open" },
  liquid = { surface = "flip" },
  fill   = { box { min = {0, 0, 0}, max = {0.4, 0.5, 0.4} } },
  output = { video = true },
}
