-- The broken dam of Macêdo 2007, appendix B and figure 4.4: a chamber with a wall that hangs from its ceiling down to an eighth of
-- its height, the lower half of its left side filled with 1024 particles. Gaussian kernel, equation of state, full stress tensor,
-- particles that bounce off walls at a distance of 3/4 h, with the square of the restitution at floor and ceiling.
local h = 1 / 64
return {
  name = "broken-dam-1024", method = "sph",
  domain  = { size = {1, 1} },
  gravity = {0, -9.81},
  time    = { duration = 1.5, fps = 40 },
  sph     = { solver = "wcsph", spacing = h, kernel = "gaussian", support = 3, state = "tait", mu = 0.5, lambda = -0.5,
              boundary = "collide", gap = 0.75, restitution = {0.5, 0.25} },
  fill    = { box { min = {0, 0}, max = {0.5, 0.5} } },
  obstacles = { obstacle { shape = box { min = {0.495, 0.125}, max = {0.505, 1.1} } } },
  output  = { video = true, images = { view { field = "liquid" }, view { field = "speed" } } },
}
