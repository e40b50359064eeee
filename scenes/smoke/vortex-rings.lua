-- Two smoke rings on one axis play leapfrog: the one behind shrinks, hurries through the other, and is overtaken in turn.
local radius, core, push = 0.24, 0.03, 3
local places = { 0.3, 0.52 }

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
    sum = sum + math.exp(-(r * r + (y - place) ^ 2) / (1.2 * core) ^ 2)
  end
  return sum
end

return {
  name = "vortex-rings", method = "smoke",
  domain  = { size = {1, 2.5, 1}, cells = {80, 200, 80}, origin = {-0.5, 0, -0.5} },
  time    = { duration = 5, fps = 24, cfl = 2 },
  walls   = { all = "free_slip", top = "open" },
  smoke   = { advection = "reflection" },
  initial = { velocity = function(x, y, z) return 0, gust(x, y, z), 0 end, density = cores },
  camera  = { eye = {3.4, 2.1, 4.2}, target = {0, 1.05, 0}, fov = 21 },
  look    = { smoke = { opacity = 40 }, width = 480, height = 720 },
  output  = { video = true },
}
