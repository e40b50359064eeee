# Libraries. The core needs Lua; each of the others brings a feature that is refused with a message without it.
find_package(PkgConfig REQUIRED)
pkg_check_modules(LUA REQUIRED IMPORTED_TARGET lua5.4)

find_package(OpenMP COMPONENTS C)
pkg_check_modules(FFTW IMPORTED_TARGET fftw3f)
pkg_check_modules(ASSIMP IMPORTED_TARGET assimp)
pkg_check_modules(PNG IMPORTED_TARGET libpng)
# The serial flavour by name: plain "hdf5" may be the MPI one.
pkg_search_module(HDF5 IMPORTED_TARGET hdf5-serial hdf5)

function(freshet_feature name found without)
  if(found)
    message(STATUS "${name}: found")
  else()
    message(WARNING "${name}: not found; ${without}")
  endif()
endfunction()
freshet_feature("OpenMP" "${OpenMP_C_FOUND}" "one thread only")
freshet_feature("FFTW" "${FFTW_FOUND}" "no direct pressure solve, multigrid instead")
freshet_feature("assimp" "${ASSIMP_FOUND}" "no mesh{} shapes")
freshet_feature("libpng" "${PNG_FOUND}" "no pictures")
freshet_feature("HDF5" "${HDF5_FOUND}" "no cache and no checkpoints")
