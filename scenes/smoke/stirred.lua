-- Three spoons stir a viscous fluid between walls that hold it fast; confinement keeps the swirls alive. Vorticity is made
-- at the walls here, and nowhere in `two-vortices`: Macêdo's figures 4.2 and 4.3.
local function spoon(x0, y0, radius, turns)
  return function(x, y, z, t)
    local a = 2 * math.pi * turns * t
    return 5 * math.cos(a), 5 * math.sin(a), 0
  end, { x0, y0 }, radius
end

local forces = {}
for _, s in ipairs { {0.3, 0.3, 0.06, 0.35}, {0.72, 0.42, 0.05, -0.5}, {0.45, 0.75, 0.05, 0.6} } do
  local push, at, radius = spoon(s[1], s[2], s[3], s[4])
  forces[#forces + 1] = force { shape = circle { radius = radius }, at = at, value = push }
end

return {
  name = "stirred", method = "smoke",
  domain  = { size = {1, 1}, cells = 192 },
  time    = { duration = 8, fps = 24 },
  fluid   = { density = 1000, viscosity = 4e-4 },
  walls   = { all = "no_slip" },
  smoke   = { vorticity = 0.15 },
  scalars = {
    teal  = { diffusion = 1e-6, initial = function(x, y) return (math.floor(x * 8) + math.floor(y * 8)) % 2 end },
    amber = { diffusion = 1e-6, initial = function(x, y) return (math.floor(x * 8) + math.floor(y * 8) + 1) % 2 end },
  },
  look    = { inks = { teal = {0.05, 0.62, 0.62}, amber = {1, 0.72, 0.25} } },
  forces  = forces,
  output  = { video = true, images = { view { field = "dyes" }, view { field = "speed", streamlines = true }, view { field = "vorticity" } } },
}
