-- A nozzle in a pool throws a jet into the air.
return {
  name = "fountain", method = "liquid",
  domain = { size = {1, 1}, cells = 96 },
  time = { duration = 3, fps = 24 },
  walls = { all = "free_slip", top = "open" },
  liquid = { surface = "flip" },
  fill = { box { min = {0, 0}, max = {1, 0.15} } },
  sources = { source { shape = box { min = {0.46, 0.1}, max = {0.54, 0.2} }, velocity = {0, 3.2} } },
  output = { images = { view { field = "level_set" } } },
}
