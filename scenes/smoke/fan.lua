-- A fan: four pitched blades turn in a ring, draw in smoke and dust and blow them out. Nothing but the blades moves the air.
local blades = { cylinder { radius = 0.07, height = 0.14, axis = "x" } }
for n = 1, 4 do
  local blade = box { size = {0.045, 0.24, 0.18}, round = 0.015 }
  blades[#blades + 1] = rotate(translate(rotate(blade, "y", -33), {0, 0.18, 0}), "x", 90 * n)
end
local ring = difference(cylinder { radius = 0.38, height = 0.13, axis = "x" }, cylinder { radius = 0.33, height = 1, axis = "x" })
local place = {0.45, 0.5, 0.5}

return {
  name = "fan", method = "smoke",
  domain    = { size = {1.5, 1, 1}, cells = 84 },
  time      = { duration = 3, fps = 24 },
  smoke     = { vorticity = 0.2 },
  walls     = { all = "open", bottom = "no_slip" },
  obstacles = {
    obstacle { shape = union(table.unpack(blades)), at = place, spin = {1, 0, 0, 600} },
    obstacle { shape = ring, at = place },
  },
  sources   = { source { shape = sphere { radius = 0.05 }, at = {0.16, 0.6, 0.55}, density = 0.5 } },
  particles = { tracers { shape = sphere { radius = 0.08 }, at = {0.18, 0.36, 0.45}, rate = 1000, settle = 0.02, response = 0.01 } },
  camera    = { eye = {-0.7, 1.05, 2.3}, target = {0.75, 0.45, 0.5} },
  look      = { obstacle = { colour = {0.85, 0.55, 0.25} } },
  output    = { video = true },
}
