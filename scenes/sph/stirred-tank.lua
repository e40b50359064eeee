-- A paddle turns in a tank of water and throws it about: the wall of the paddle moves, and what it feels of the water is in
-- obstacles.csv.
return {
  name = "stirred-tank", method = "sph",
  domain  = { size = {1, 0.8, 1} },
  time    = { duration = 4, fps = 30 },
  sph     = { spacing = 0.02 },
  fill    = { box { min = {0, 0, 0}, max = {1, 0.36, 1} } },
  obstacles = {
    obstacle { shape = union { box { size = {0.62, 0.16, 0.05} }, box { size = {0.05, 0.16, 0.62} } }, at = {0.5, 0.2, 0.5},
               slip = "no_slip", spin = {0, 1, 0, 200} },
  },
  output  = { video = true },
}
