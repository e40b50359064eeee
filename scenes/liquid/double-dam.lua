-- Two columns break in opposite corners of a tank. Their waves meet in the middle and turn about each other.
return {
  name = "double-dam", method = "liquid",
  domain = { size = {1, 0.75, 1}, cells = 64 },
  time   = { duration = 3, fps = 24 },
  walls  = { all = "free_slip", top = "open" },
  liquid = { surface = "flip" },
  fill   = {
    box { min = {0, 0, 0}, max = {0.35, 0.5, 0.35} },
    box { min = {0.65, 0, 0.65}, max = {1, 0.5, 1} },
  },
  output = { video = true },
}
