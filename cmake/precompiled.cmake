# Precompiled headers: standard_headers.h for all targets, test_headers.h for those that link GoogleTest. Three times faster builds.
#
#   keyhole_precompile()     at the end of CMakeLists.txt: for every target of the tree
#   KEYHOLE_PRECOMPILED=OFF  without: shows a source that does not include what it uses
#
# ccache knows a precompiled header by the checksum beside it, which is of its text and not of its bytes: those name the
# folder they were made in, and every checkout would have a cache of its own.
option(KEYHOLE_PRECOMPILED "precompile the headers of the standard library, fmt and GoogleTest" ON)
if(NOT KEYHOLE_PRECOMPILED)
  function(keyhole_precompile)
  endfunction()
  return()
endif()

# CMake's own options also include the text, by a path that ccache does not make relative.
set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -Xclang -include-pch -Xclang <PCH_FILE>)

# keyhole_precompiled_header(NAME HEADER LIBRARIES...): the library NAME, whose header others reuse.
function(keyhole_precompiled_header name header)
  set(empty ${CMAKE_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${empty} CONTENT "// Nothing but its header.\n")
  add_library(${name} OBJECT ${empty})
  target_link_libraries(${name} PRIVATE keyhole_options ${ARGN})
  target_precompile_headers(${name} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/${header})
  target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.dir)
  set(checksum ${folder}/cmake_pch.hxx.pch.sum)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${checksum}
    COMMAND ${CMAKE_CXX_COMPILER} -x c++-header -std=gnu++23 -I${CMAKE_SOURCE_DIR} -E -P -MD -MF ${checksum}.d -MT ${checksum}
            ${CMAKE_SOURCE_DIR}/cmake/${header} -o text
    COMMAND ${CMAKE_COMMAND} -E sha256sum text > ${checksum}   # names the file as it is given: without a folder
    DEPENDS ${CMAKE_SOURCE_DIR}/cmake/${header} DEPFILE ${checksum}.d WORKING_DIRECTORY ${folder} VERBATIM)
  add_custom_target(${name}_checksum DEPENDS ${checksum})
  add_dependencies(${name} ${name}_checksum)
endfunction()

keyhole_precompiled_header(keyhole_standard_headers standard_headers.h fmt::fmt)
if(KEYHOLE_BUILD_TESTS)
  keyhole_precompiled_header(keyhole_test_headers test_headers.h fmt::fmt GTest::gtest GTest::gmock)
endif()

# keyhole_precompile([DIRECTORY]): for the targets of a directory and those below it.
function(keyhole_precompile)
  set(directory ${CMAKE_SOURCE_DIR})
  if(ARGC)
    set(directory ${ARGV0})
  endif()
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(NOT type MATCHES "STATIC_LIBRARY|EXECUTABLE|OBJECT_LIBRARY" OR target MATCHES "^keyhole_(standard|test)_headers$")
      continue()
    endif()
    get_target_property(libraries ${target} LINK_LIBRARIES)
    if("${libraries}" MATCHES "GTest::")
      target_precompile_headers(${target} REUSE_FROM keyhole_test_headers)
    else()
      target_precompile_headers(${target} REUSE_FROM keyhole_standard_headers)
    endif()
  endforeach()
  get_property(folders DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(folder IN LISTS folders)
    keyhole_precompile(${folder})
  endforeach()
endfunction()
