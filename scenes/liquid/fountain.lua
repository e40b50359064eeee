-- A pump in a basin throws a jet into the air, and what comes down falls back into it. A source under water gives the flow its
-- velocity and takes in at its lower end what it throws out above; what it draws in of air it makes up for with water, and what
-- is then too much runs off over the rims at the sides.
return {
  name = "fountain", method = "liquid",
  domain = { size = {1, 1}, cells = 96 },
  time = { duration = 3, fps = 24 },
  walls = { all = "free_slip", top = "open" },
  liquid = { surface = "flip" },
  fill = { box { min = {0, 0}, max = {1, 0.25} } },
  sources = { source { shape = box { min = {0.48, 0.08}, max = {0.52, 0.18} }, velocity = {0, 3} } },
  sinks = {
    sink { shape = box { min = {-0.05, 0.26}, max = {0.03, 1} } },
    sink { shape = box { min = {0.97, 0.26}, max = {1.05, 1} } },
  },
  output = { images = { view { field = "liquid" } } },
}
