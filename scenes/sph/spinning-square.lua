-- A square of water spins freely without gravity: its corners become arms (Colagrossi 2005). Nothing holds it together but its
-- own incompressibility, which is what makes it a hard test for particles.
local omega = 2          -- rad/s
return {
  name = "spinning-square", method = "sph",
  domain  = { size = {4, 4}, origin = {-2, -2} },
  gravity = {0, 0},
  time    = { duration = 1.5, fps = 30 },
  sph     = { spacing = 0.02 },
  fill    = { box { min = {-0.5, -0.5}, max = {0.5, 0.5} } },
  initial = { velocity = function(x, y) return omega * y, -omega * x end },
  output  = { video = true, images = { view { field = "liquid" }, view { field = "pressure", colormap = "coolwarm" } } },
}
