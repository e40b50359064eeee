-- Two smoke rings on one axis play leapfrog: the one behind shrinks, hurries through the other, and is overtaken in turn.
local radius, core, push = 0.17, 0.035, 1.3
local places = { 0.28, 0.46 }

-- A gust that is a flat puff of smoke's width; the projection turns it into a ring of vorticity.
local function gust(x, y, z)
  local r, sum = math.sqrt(x * x + z * z), 0
  for _, place in ipairs(places) do
    sum = sum + math.exp(-((y - place) / core) ^ 2)
  end
  return push * sum * 0.5 * (1 - math.tanh((r - radius) / core))
end

-- Smoke where the cores of the rings are.
local function cores(x, y, z)
  local r, sum = math.sqrt(x * x + z * z) - radius, 0
  for _, place in ipairs(places) do
    sum = sum + math.exp(-(r * r + (y - place) ^ 2) / (1.6 * core) ^ 2)
  end
  return sum
end

return {
  name = "vortex-rings", method = "smoke",
  domain  = { size = {0.8, 2.0, 0.8}, cells = {64, 160, 64}, origin = {-0.4, 0, -0.4} },
  time    = { duration = 5, fps = 24, cfl = 2 },
  walls   = { all = "free_slip", top = "open" },
  smoke   = { advection = "reflection" },
  initial = { velocity = function(x, y, z) return 0, gust(x, y, z), 0 end, density = cores },
  camera  = { eye = {2.6, 1.5, 3.4}, target = {0, 0.95, 0}, fov = 27 },
  look    = { smoke = { opacity = 30 }, width = 480, height = 720 },
  output  = { video = true },
}
