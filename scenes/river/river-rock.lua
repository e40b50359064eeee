-- A round rock in a winding river (after Barroso & Celes, figure 9). The grid has no hole: a block of cells is bent round, made solid and hidden.
local length, count = 20, {800, 100}

-- the course: a line across it stands square to the middle
local function course(s, t)
  local x, wave = length * s, 2 * math.pi / 10
  local slope = 1.2 * wave * math.cos(wave * x)
  local width = 2.4 + 0.5 * math.sin(0.5 * wave * x)
  local n = width * (t - 0.5) / math.sqrt(1 + slope * slope)
  return x - slope * n, 1.2 * math.sin(wave * x) + n
end

-- squares around the rock's middle become circles, less and less so further out
local rock = { s = 0.28, t = 0.5, half = {20, 16} }   -- half its size in cells
local function bend(s, t)
  local a, b = (s - rock.s) * count[1] / rock.half[1], (t - rock.t) * count[2] / rock.half[2]
  local m, r = math.max(math.abs(a), math.abs(b)), math.sqrt(a * a + b * b)
  if m == 0 then return s, t end
  local far = math.max(0, math.min(1, (m - 1) / 2))
  local round = 1 + 0.85 * (1 - far)^2 * (m / r - 1)
  return rock.s + (s - rock.s) * round, rock.t + (t - rock.t) * round
end

local middle = { math.floor(rock.s * count[1]), math.floor(rock.t * count[2]) }

return {
  name = "river-rock", method = "river",
  time  = { duration = 24, fps = 24 },
  river = {
    cells = count,
    grid  = function(s, t) return course(bend(s, t)) end,
    sides = { s0 = inflow { speed = 1, blue = function(x, y) return math.floor(6 * y) % 2 end }, s1 = outflow {},
              t0 = bank { roughness = 0.5 }, t1 = bank { roughness = 0.5 } },
    obstacles = { cells { from = { middle[1] - rock.half[1], middle[2] - rock.half[2] }, to = { middle[1] + rock.half[1] - 1, middle[2] + rock.half[2] - 1 } } },
    inks  = { blue = {} },
    particles = 5000,
  },
  look   = { inks = { blue = {0.10, 0.35, 0.80} }, width = 1200 },
  output = { video = true, images = { view { field = "dyes", particles = false }, view { field = "vorticity", range = {-6, 6} }, view { field = "pressure" } } },
}
