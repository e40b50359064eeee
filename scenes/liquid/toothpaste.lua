-- A squirt of toothpaste hits a wall and bends, after Carlson's figure 15 (42×33×18 cells of 0.1 m, 10⁴ m²/s, 330 frames). A
-- strand this viscous hardly sags on its way; the wall stops its tip, the nozzle pushes on, and so it buckles.
return {
  name = "toothpaste", method = "liquid",
  domain    = { size = {4.2, 3.3, 1.8}, cells = 42 },
  time      = { duration = 11, fps = 30 },
  fluid     = { density = 1300, viscosity = 1e4 },
  walls     = { all = "no_slip", top = "open" },
  liquid    = { surface = "level_set" },
  sources   = { source { shape = cylinder { radius = 0.25, height = 0.6, axis = "x" }, at = {0.2, 1.6, 0.9}, velocity = {1.6, 0, 0}, to = 4.5 } },
  obstacles = { obstacle { shape = box { min = {3.2, -1, -1}, max = {5, 4, 3} }, slip = "no_slip" } },
  look      = { liquid = { colour = {0.45, 0.75, 0.8} } },
  output    = { images = { "clay" }, video = true },
}
