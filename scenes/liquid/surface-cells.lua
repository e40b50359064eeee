-- A column of water collapses in a closed tank and comes to rest: how lively and how calm is its surface? For the three
-- treatments of the cells at the surface, and the two orders of a step, with the transport that the thesis has:
--   freshet run surface-cells.lua --set liquid.surface_cells=noisy --set liquid.loop=twice
return {
  name = "surface-cells", method = "liquid",
  domain = { size = {1.2, 0.8}, cells = 60 },
  time = { duration = 8, fps = 3 },
  walls = { all = "free_slip" },
  liquid = { surface = "level_set", volume = "free", advection = "linear", surface_cells = "ghost_fluid", loop = "once" },
  fill = { box { min = {0, 0}, max = {0.4, 0.3} } },
  output = { video = false, images = { view { field = "liquid" } } },
}
