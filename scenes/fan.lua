-- A fan with three pitched blades blows smoke that rises beside it down a duct.
local blades = {}
for n = 0, 2 do
  local blade = box { size = {0.035, 0.26, 0.12}, round = 0.012, at = {0, 0.16, 0}, rotation = {0, 1, 0, 35} }
  blades[#blades + 1] = rotate(rotate(blade, "y", 0), "x", 120 * n)
end
blades[#blades + 1] = sphere { radius = 0.065 }

return {
  name = "fan", method = "smoke",
  domain  = { size = {2, 0.8, 0.8}, cells = 112 },
  time    = { duration = 4, fps = 24 },
  smoke   = { vorticity = 0.2 },
  walls   = { left = "open", right = "open" },
  sources = { source { shape = sphere { radius = 0.09 }, at = {0.22, 0.4, 0.4}, density = 1 } },
  obstacles = { obstacle { shape = union(table.unpack(blades)), at = {0.55, 0.4, 0.4}, spin = {1, 0, 0, 420} } },
  camera  = { eye = {0.2, 1.15, 2.6}, target = {0.95, 0.4, 0.4} },
  look    = { obstacle = { colour = {0.85, 0.55, 0.25} } },
  output  = { video = true },
}
