-- A column of water and nothing else, so that parcels go from the middle of one step to that of the next.
return {
  method = "liquid",
  domain = { size = {1, 0.7}, cells = 30 },
  time   = { duration = 0.2, fps = 20 },
  walls  = { all = "free_slip", top = "open" },
  fill   = { box { min = {0, 0}, max = {0.35, 0.5} } },
}
