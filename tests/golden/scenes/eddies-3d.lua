-- The same as eddies-2d, in space.
return {
  method  = "smoke",
  domain  = { size = {1, 1, 1}, cells = {16, 12, 18} },
  time    = { duration = 0.2, fps = 20 },
  fluid   = { viscosity = 1e-4 },
  walls   = { all = "periodic" },
  scalars = {
    ink  = { initial = function(x, y, z) return (x - 0.5) * (y - 0.5) > 0 and z or 0 end },
    sand = { transport = "conservative", initial = function(x, y, z) return x < 0.5 and 1 or 0 end },
  },
  initial = { turbulence = turbulence { speed = 1, length = 0.4, modes = 30, seed = 3 }, velocity = function(x, y, z) return 0.3, 0, 0 end },
}
