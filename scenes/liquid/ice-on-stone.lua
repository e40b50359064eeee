-- A block of ice on a warm stone melts from below, and the water runs off over the stone's edge. While it melts the ice stays
-- at its melting point: the heat goes into melting, eighty kelvin's worth. Heat spreads two hundred times as fast as in real ice.
return {
  name = "ice-on-stone", method = "liquid",
  domain    = { size = {0.36, 0.24, 0.36}, cells = 54 },
  time      = { duration = 14, fps = 24, cfl = 2 },
  fluid     = { density = 950 },
  walls     = { all = "no_slip", top = "open" },
  liquid    = { surface = "level_set" },
  heat      = {
    diffusivity = 3e-5, ambient = 15, loss = 1e-4, latent = 80,
    melt = { from = -1, to = 1, solid = 100, liquid = 1e-3, curve = "linear" },
  },
  fill      = { fluid_in { shape = box { size = {0.11, 0.11, 0.11}, round = 0.01 }, at = {0.18, 0.115, 0.18}, temperature = -5 } },
  obstacles = { obstacle { shape = box { size = {0.24, 0.12, 0.2}, round = 0.012 }, at = {0.18, 0, 0.18}, slip = "no_slip", temperature = 60 } },
  look      = { liquid = { colour = {0.7, 0.85, 0.95} } },
  output    = { images = { "liquid", view { field = "temperature", range = {-5, 40} } }, video = true },
}
