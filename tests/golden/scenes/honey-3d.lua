-- The same as honey-2d, in space.
return {
  method  = "sph",
  domain  = { size = {0.6, 0.5, 0.3} },
  time    = { duration = 0.06, fps = 50 },
  fluid   = { density = 1400, viscosity = 5e-3, surface_tension = 0.08 },
  sph     = { spacing = 0.05, vorticity = 0.1, xsph = 0.1 },
  walls   = { all = "no_slip", top = lid { velocity = {1, 0, 0} }, back = "periodic", front = "periodic" },
  fill    = { box { min = {0, 0, 0}, max = {0.6, 0.2, 0.3} }, sphere { radius = 0.08, at = {0.3, 0.35, 0.15} } },
  initial = { velocity = function(x, y, z) return 0.2 * y, 0, 0 end },
}
