-- Turbulence that decays in a periodic box.
return {
  method  = "smoke",
  domain  = { size = {1, 1}, cells = {40, 32} },
  time    = { duration = 0.2, fps = 20 },
  fluid   = { viscosity = 1e-4 },
  walls   = { all = "periodic" },
  scalars = {
    ink  = { initial = function(x, y) return (x - 0.5) * (y - 0.5) > 0 and 1 or 0 end },
    sand = { transport = "conservative", initial = function(x, y) return x < 0.5 and 1 or 0 end },
  },
  initial = { turbulence = turbulence { speed = 1, length = 0.4, modes = 30, seed = 3 }, velocity = function(x, y) return 0.3, 0 end },
}
