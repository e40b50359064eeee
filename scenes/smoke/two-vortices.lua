-- A short push from below starts a pair of vortices that carry the dye upwards: the simple flow of Macêdo's figure 4.1.
-- The fluid has no viscosity; `stirred` is its viscous sister.
return {
  name = "two-vortices", method = "smoke",
  domain  = { size = {1, 1}, cells = 192 },
  time    = { duration = 5, fps = 24 },
  walls   = { all = "free_slip" },
  scalars = { dye = { initial = function(x, y) return (x - 0.5)^2 + (y - 0.16)^2 < 0.1^2 and 1 or 0 end } },
  forces  = {
    force { shape = circle { radius = 0.1 }, at = {0.5, 0.16}, value = function(x, y, z, t) return 0, t < 0.25 and 6 or 0, 0 end },
  },
  output  = { video = true, images = { view { field = "dyes" }, view { field = "speed" }, view { field = "vorticity", range = {-15, 15} } } },
}
