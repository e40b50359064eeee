-- The dam with a million particles: an ordinary scene, about a night on two cores.
return {
  name = "dam-million", method = "sph",
  domain  = { size = {3, 2, 1} },
  time    = { duration = 3, fps = 24 },
  fluid   = { density = 1000, viscosity = 1e-6 },
  sph     = { spacing = 0.01 },
  fill    = { box { min = {0, 0, 0}, max = {1, 1, 1} } },
  output  = { video = true, mesh = "ply" },
}
