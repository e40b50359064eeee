-- A river that parts around two islands and joins again (after Barroso & Celes, figure 9).
local length, count = 20, {800, 100}

-- islands in grid coordinates: where they begin and end along the river, and the band of cells they take
local islands = { { from = 0.22, to = 0.42 }, { from = 0.6, to = 0.82 } }
local band = { from = 0.42, to = 0.58 }

-- how much of the river's width an island takes at s: round ends
local function breadth(s)
  for _, island in ipairs(islands) do
    local q = (2 * s - island.from - island.to) / (island.to - island.from)
    if math.abs(q) < 1 then return 0.05 + 0.36 * math.sqrt(1 - q^4) end
  end
  return 0.05
end

-- the same, smoothed along the river so that lines of the grid have no steps
local function smooth(s)
  local sum = 0
  for i = -4, 4 do sum = sum + breadth(s + i * 0.004) end
  return sum / 9
end

local function part(s, t)
  local b = smooth(s)
  if t < band.from then return t / band.from * (0.5 - b / 2) end
  if t > band.to then return 1 - (1 - t) / (1 - band.to) * (0.5 - b / 2) end
  return 0.5 + b * ((t - band.from) / (band.to - band.from) - 0.5)
end

local function course(s, t)
  local x, wave = length * s, 2 * math.pi / 14
  local slope = wave * math.cos(wave * x)
  local n = 3 * (t - 0.5) / math.sqrt(1 + slope * slope)
  return x - slope * n, math.sin(wave * x) + n
end

local function block(island)
  return cells { from = { math.floor(island.from * count[1]), 42 }, to = { math.floor(island.to * count[1]) - 1, 57 } }
end

return {
  name = "river-fork", method = "river",
  time  = { duration = 28, fps = 24 },
  river = {
    cells = count,
    grid  = function(s, t) return course(s, part(s, t)) end,
    sides = { s0 = inflow { speed = 1, blue = function(x, y) return y > 0.2 and 1 or 0 end, green = function(x, y) return y < -0.2 and 1 or 0 end }, s1 = outflow {},
              t0 = bank { roughness = 0.5 }, t1 = bank { roughness = 0.5 } },
    obstacles = { block(islands[1]), block(islands[2]) },
    inks  = { blue = {}, green = {} },
    particles = 5000,
  },
  look   = { inks = { blue = {0.10, 0.35, 0.80}, green = {0.10, 0.60, 0.35} }, width = 1200 },
  output = { video = true, images = { view { field = "dyes", particles = false }, view { field = "speed" }, view { field = "pressure" } } },
}
