# Precompiled headers: standard_headers.h for all targets, assembler_headers.h for those of jit, test_headers.h for
# those that link GoogleTest. Three times faster builds.
#
#   keyhole_precompiled(TARGET)   beside each add_library and add_executable
#   KEYHOLE_PRECOMPILED=OFF       without: shows a source that does not include what it uses
#
# ccache knows a precompiled header by the checksum beside it, which is of its text and not of its bytes: those name the
# folder they were made in, and every checkout would have a cache of its own. For the same reason it ignores what CMake
# writes beside them (CCACHE_IGNOREHEADERS in CMakePresets.json): the name of the folder and of a header that is a
# dependency of its own. CCACHE_DEPEND takes dependencies from the compiler instead of preprocessing each source before
# it is compiled, which was a quarter of a build without a warm cache.
# The locale of whoever builds is no part of what is compiled: a bare root has none, and shares the cache all the same.
option(KEYHOLE_PRECOMPILED "precompile the headers of the standard library, fmt and GoogleTest" ON)
if(NOT KEYHOLE_PRECOMPILED)
  function(keyhole_precompiled)
  endfunction()
  return()
endif()

# CMake's own options also include the text of the header, by a path that ccache does not make relative.
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
    COMMAND ${CMAKE_CXX_COMPILER} -x c++-header -std=gnu++23 -I${CMAKE_SOURCE_DIR} -E -P
            -MD -MF ${checksum}.d -MT ${checksum}
            ${CMAKE_SOURCE_DIR}/cmake/${header} -o text
    COMMAND ${CMAKE_COMMAND} -E sha256sum text > ${checksum}   # names the file as it is given: without a folder
    DEPENDS ${CMAKE_SOURCE_DIR}/cmake/${header} DEPFILE ${checksum}.d WORKING_DIRECTORY ${folder} VERBATIM)
  add_custom_target(${name}_checksum DEPENDS ${checksum})
  add_dependencies(${name} ${name}_checksum)
endfunction()

keyhole_precompiled_header(keyhole_standard_headers standard_headers.h fmt::fmt)
keyhole_precompiled_header(keyhole_assembler_headers assembler_headers.h fmt::fmt)
if(KEYHOLE_BUILD_TESTS)
  keyhole_precompiled_header(keyhole_test_headers test_headers.h fmt::fmt GTest::gtest GTest::gmock)
endif()

# keyhole_precompiled(TARGET [HEADER]): the target reads HEADER precompiled: keyhole_standard_headers, if no other is
# named.
function(keyhole_precompiled target)
  set(header keyhole_standard_headers)
  if(ARGC GREATER 1)
    set(header ${ARGV1})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${header})
endfunction()
