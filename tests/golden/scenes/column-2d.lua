-- A column breaks over a step: for the ways to treat surfaces that a scene with inks and taps may not have.
return {
  method = "liquid",
  domain = { size = {1, 0.7}, cells = 28 },
  time   = { duration = 0.15, fps = 20 },
  fluid  = { viscosity = 1e-3 },
  walls  = { all = "free_slip", bottom = "no_slip", top = "open" },
  fill   = { box { min = {0, 0}, max = {0.35, 0.5} } },
  obstacles = { obstacle { shape = box { min = {0.5, -0.1}, max = {0.6, 0.13} } } },
}
