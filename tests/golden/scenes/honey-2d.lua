-- A thick liquid with surface tension, between walls that hold it and a lid that drags it.
return {
  method  = "sph",
  domain  = { size = {0.6, 0.5} },
  time    = { duration = 0.08, fps = 50 },
  fluid   = { density = 1400, viscosity = 5e-3, surface_tension = 0.08 },
  sph     = { spacing = 0.02, vorticity = 0.1, xsph = 0.1 },
  walls   = { all = "no_slip", top = lid { velocity = {1, 0} } },
  fill    = { box { min = {0, 0}, max = {0.6, 0.2} }, circle { radius = 0.08, at = {0.3, 0.35} } },
  initial = { velocity = function(x, y) return 0.2 * y, 0 end },
}
