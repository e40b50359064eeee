-- A lump of liquid is thrown into a tub that holds a shallow pool, after Carlson's figure 12 (32 cells of 0.1 m). The one
-- number that matters is the viscosity. At 0.1 m²/s it splashes and sways, at 1 it slumps at once, at 10 it sinks into the
-- pool over a second or two, at 100 it stays a ball for seconds: freshet run pour.lua --set fluid.viscosity=10
return {
  name = "pour", method = "liquid",
  domain = { size = {3.2, 3.2, 3.2}, cells = 32 },
  time   = { duration = 10, fps = 30 },
  fluid  = { density = 1000, viscosity = 1 },
  walls  = { all = "free_slip", top = "open" },
  liquid = { surface = "level_set" },
  fill   = {
    box { min = {0, 0, 0}, max = {3.2, 0.3, 3.2} },
    fluid_in { shape = sphere { radius = 0.6 }, at = {1.1, 2.3, 1.6}, velocity = {2, -2, 0} },
  },
  obstacles = { obstacle { shape = box { min = {2, 0, 1.1}, max = {2.5, 0.7, 2.1} }, slip = "free_slip" } },
  look   = { liquid = { colour = {0.2, 0.55, 0.15} } },
  output = { video = true },
}
