-- A tap fills a basin that a drain empties.
return {
  name = "tap-and-drain", method = "liquid",
  domain = { size = {1, 1}, cells = 96 },
  time = { duration = 4, fps = 24 },
  walls = { all = "free_slip", top = "open" },
  liquid = { surface = "flip" },
  fill = { box { min = {0, 0}, max = {1, 0.1} } },
  sources = { source { shape = box { min = {0.2, 0.8}, max = {0.3, 0.88} }, velocity = {0, -1}, to = 2.5 } },
  sinks = { sink { shape = box { min = {0.75, -0.05}, max = {0.85, 0.03} }, from = 1.5 } },
  output = { images = { view { field = "liquid" } } },
}
