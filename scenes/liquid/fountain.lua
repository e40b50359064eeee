-- A nozzle in a basin throws a jet into the air. What comes down at the sides runs off over the rims, so that the basin stays
-- as full as it was.
return {
  name = "fountain", method = "liquid",
  domain = { size = {1, 1}, cells = 96 },
  time = { duration = 3, fps = 24 },
  walls = { all = "free_slip", top = "open" },
  liquid = { surface = "flip" },
  fill = { box { min = {0, 0}, max = {1, 0.15} } },
  sources = { source { shape = box { min = {0.48, 0.1}, max = {0.52, 0.2} }, velocity = {0, 3.2} } },
  sinks = {
    sink { shape = box { min = {-0.05, 0.15}, max = {0.06, 1} } },
    sink { shape = box { min = {0.94, 0.15}, max = {1.05, 1} } },
  },
  output = { images = { view { field = "liquid" } } },
}
