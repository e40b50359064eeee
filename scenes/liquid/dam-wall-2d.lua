-- A column of water collapses and runs against a wall.
return {
  name = "dam-wall-2d", method = "liquid",
  domain = { size = {1.6, 0.8}, cells = 128 },
  time = { duration = 2, fps = 24 },
  walls = { all = "free_slip", top = "open" },
  fill = { box { min = {0, 0}, max = {0.4, 0.5} } },
  output = { video = false, images = { view { field = "liquid" } } },
}
