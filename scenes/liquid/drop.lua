-- A drop the size of a fist falls into a pool at 4 m/s: a crater opens, its rim rises as a crown, and where the crater closes
-- a jet shoots up.
return {
  name = "drop", method = "liquid",
  domain = { size = {1, 0.8, 1}, cells = 64 },
  time   = { duration = 1.5, fps = 48 },
  walls  = { all = "free_slip", top = "open" },
  liquid = { surface = "flip" },
  fill   = {
    box { min = {0, 0, 0}, max = {1, 0.25, 1} },
    fluid_in { shape = sphere { radius = 0.08 }, at = {0.5, 0.4, 0.5}, velocity = {0, -4, 0} },
  },
  output = { video = true },
}
