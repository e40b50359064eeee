-- Let go of at the bottom of a tank, a cork and a ball of styrofoam shoot up, leave the water and fall back on it; styrofoam
-- lies on top like a leaf. Runs as a liquid of particles too: --set method=sph.
return {
  name = "cork-and-styrofoam", method = "liquid",
  domain = { size = {0.8, 0.8, 0.4}, cells = 64 },
  time   = { duration = 4, fps = 60 },
  fluid  = { density = 1000, viscosity = 1e-6 },
  walls  = { all = "free_slip", top = "open" },
  fill   = { box { min = {0, 0, 0}, max = {0.8, 0.45, 0.4} } },
  bodies = {
    body { name = "cork", shape = cylinder { radius = 0.05, height = 0.14, axis = "x" }, at = {0.24, 0.1, 0.2}, rotation = {0, 0, 1, 20}, density = 200 },
    body { name = "styrofoam", shape = sphere { radius = 0.07 }, at = {0.57, 0.1, 0.2}, density = 50 },
  },
  camera = { eye = {0.4, 0.75, 1.9}, target = {0.4, 0.32, 0.2}, fov = 32 },
  output = { video = true },
}
