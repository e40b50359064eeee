-- A column of water breaks over a block in a closed tank: 200 000 particles, DFSPH with its defaults.
return {
  name = "dam-3d", method = "sph",
  domain  = { size = {3, 1.5, 1} },
  time    = { duration = 3, fps = 30 },
  fluid   = { density = 1000, viscosity = 1e-6 },
  sph     = { spacing = 0.0165 },
  fill    = { box { min = {0, 0, 0}, max = {0.9, 1, 1} } },
  obstacles = { obstacle { shape = box { min = {1.9, 0, 0.35}, max = {2.1, 0.3, 0.65} } } },
  output  = { video = true },
}
