# One object library per layer, in the order in which they may include each other (scripts/check_layers.py).
set(FRESHET_LAYERS base linalg geom grid particles rigid surface hybrid method mac smoke liquid river sph world scene io render)

add_library(freshet_options INTERFACE)
target_include_directories(freshet_options INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
# No contraction to fused multiply-add: mirrored scenes stay mirrored, and both compilers round alike.
target_compile_options(freshet_options INTERFACE -Wall -Wextra -Wconversion -Wno-psabi
  -ffp-contract=off -fno-math-errno -fno-trapping-math)
if(FRESHET_ARCH)
  target_compile_options(freshet_options INTERFACE -march=${FRESHET_ARCH})
endif()
if(FRESHET_SANITIZE)
  target_compile_options(freshet_options INTERFACE -fsanitize=${FRESHET_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  target_link_options(freshet_options INTERFACE -fsanitize=${FRESHET_SANITIZE})
endif()

foreach(layer IN LISTS FRESHET_LAYERS)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*.c)
  if(sources)
    add_library(freshet_${layer} OBJECT ${sources})
    target_link_libraries(freshet_${layer} PRIVATE freshet_options)
    list(APPEND FRESHET_OBJECTS $<TARGET_OBJECTS:freshet_${layer}>)
  endif()
endforeach()

# What has to run on any processor, to say in words that this one lacks something.
if(FRESHET_ARCH AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(FRESHET_PLAIN_CODE -march=x86-64)
  foreach(file processor result printable)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/base/${file}.c PROPERTIES COMPILE_OPTIONS ${FRESHET_PLAIN_CODE})
  endforeach()
endif()

set(FRESHET_LIBRARIES m Threads::Threads)
# Gives a layer a library of its own, with FR_HAVE_<name> for the code.
function(freshet_layer_uses layer name found target)
  if(found AND TARGET freshet_${layer})
    target_link_libraries(freshet_${layer} PRIVATE ${target})
    target_compile_definitions(freshet_${layer} PRIVATE FR_HAVE_${name}=1)
    set(FRESHET_LIBRARIES ${FRESHET_LIBRARIES} ${target} PARENT_SCOPE)
  endif()
endfunction()
freshet_layer_uses(geom ASSIMP "${ASSIMP_FOUND}" PkgConfig::ASSIMP)
freshet_layer_uses(rigid ODE "${ODE_FOUND}" PkgConfig::ODE)
freshet_layer_uses(scene LUA "${LUA_FOUND}" PkgConfig::LUA)
freshet_layer_uses(io ZLIB "${ZLIB_FOUND}" PkgConfig::ZLIB)
freshet_layer_uses(render PNG "${PNG_FOUND}" PkgConfig::PNG)
freshet_layer_uses(render EMBREE "${embree_FOUND}" embree)

add_library(freshet SHARED ${FRESHET_OBJECTS})
add_library(freshet::freshet ALIAS freshet)
target_link_libraries(freshet PRIVATE ${FRESHET_LIBRARIES} $<BUILD_INTERFACE:freshet_options>)
target_include_directories(freshet INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(freshet PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0)
