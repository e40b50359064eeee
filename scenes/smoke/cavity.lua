-- The lid-driven cavity, Reynolds number 1000.
return {
  name = "cavity", method = "smoke",
  domain  = { size = {1, 1}, cells = 128 },
  time    = { duration = 20, fps = 12, cfl = 1 },
  fluid   = { density = 1, viscosity = 1e-3 },
  walls   = { all = "no_slip", top = lid { velocity = {1, 0} } },
  probes  = {
    probe { from = {0.5, 0}, to = {0.5, 1}, n = 65, fields = {"u"}, every = 1 },
    probe { from = {0, 0.5}, to = {1, 0.5}, n = 65, fields = {"v"}, every = 1 },
  },
  output  = { video = true, images = { view { field = "speed", streamlines = true }, view { field = "vorticity", range = {-8, 8} } } },
}
