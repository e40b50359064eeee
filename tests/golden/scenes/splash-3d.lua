-- The same as splash-2d, in space.
return {
  method  = "liquid",
  domain  = { size = {1, 0.8, 0.5}, cells = 16 },
  time    = { duration = 0.1, fps = 20 },
  fluid   = { density = 1000, viscosity = 1e-4 },
  walls   = { all = "no_slip", top = "open", left = inflow { velocity = {0.3, 0, 0}, level = 0.2, ink = 0.5 },
              front = "periodic", back = "periodic" },
  scalars = { ink = { diffusion = 1e-4, initial = function(x) return x < 0.5 and 1 or 0 end } },
  fill    = {
    box { min = {0, 0, 0}, max = {1, 0.25, 0.5} },
    fluid_in { shape = sphere { radius = 0.12 }, at = {0.55, 0.45, 0.2}, velocity = {0.4, -1.5, 0.2}, ink = 0.8 },
    fluid_in { shape = sphere { radius = 0.08 }, at = {0.2, 0.6, 0.3}, velocity = {0, -1, 0}, from = 0.04 },
  },
  sources = { source { shape = box { size = {0.15, 0.15, 0.15} }, at = {0.85, 0.65, 0.25}, velocity = {0, -1, 0}, ink = 1 } },
  sinks   = { sink { shape = box { min = {0.85, 0, 0}, max = {1, 0.1, 0.5} } } },
  forces  = { force { shape = sphere { radius = 0.2 }, at = {0.3, 0.2, 0.2}, value = function(x, y, z, t) return 3 * y, 2, z end } },
  particles = { tracers { shape = box { min = {0, 0, 0}, max = {1, 0.2, 0.5} }, per_cell = 0.2 } },
  obstacles = {
    obstacle { shape = sphere { radius = 0.1 }, at = {0.35, 0.12, 0.25} },
    obstacle { shape = box { size = {0.2, 0.12, 0.2} }, path = function(t) return 0.6 - t, 0.15, 0.25 end, spin = {0, 0, 1, 200} },
  },
}
