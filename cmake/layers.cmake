# keyhole_layer(NAME FOLDERS LIBRARIES...): every .cpp of a folder, or of a list of folders, as a static library.
# LIBRARIES are the lower layers that the folder may include; tests/check_layers.py checks the includes themselves.
#
# From runtime/object upwards each layer exists once for each header layout (runtime/object/layout.h): the folders are
# added once per layout, with KEYHOLE_LAYOUT set, and the names of their targets end in ${KEYHOLE_LAYOUT_SUFFIX}:
# nothing for compact.
function(keyhole_layer name folders)
  list(TRANSFORM folders PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(TRANSFORM folders APPEND /*.cpp)
  file(GLOB sources CONFIGURE_DEPENDS ${folders})
  keyhole_library(${name} SOURCES ${sources} LIBRARIES ${ARGN})
endfunction()

# keyhole_library(NAME SOURCES ... LIBRARIES ...): a library of the current header layout. LIBRARIES name layers without
# the suffix. It reads the precompiled headers that the variable KEYHOLE_PRECOMPILED_HEADERS names, if it is set.
function(keyhole_library name)
  cmake_parse_arguments(PARSE_ARGV 1 "" "" "" "SOURCES;LIBRARIES")
  keyhole_of_layout(libraries ${_LIBRARIES})
  if(_SOURCES)
    keyhole_unity(sources ${name} ${_SOURCES})
    add_library(${name}${KEYHOLE_LAYOUT_SUFFIX} STATIC ${sources})
    keyhole_precompiled(${name}${KEYHOLE_LAYOUT_SUFFIX} ${KEYHOLE_PRECOMPILED_HEADERS})
    target_link_libraries(${name}${KEYHOLE_LAYOUT_SUFFIX} PUBLIC keyhole_options${KEYHOLE_LAYOUT_SUFFIX} ${libraries})
  else()
    add_library(${name}${KEYHOLE_LAYOUT_SUFFIX} INTERFACE)
    target_link_libraries(${name}${KEYHOLE_LAYOUT_SUFFIX} INTERFACE
                          keyhole_options${KEYHOLE_LAYOUT_SUFFIX} ${libraries})
  endif()
endfunction()

# keyhole_of_layout(OUT LIBRARIES...): the same list with the suffix on those that exist per layout.
function(keyhole_of_layout out)
  set(result)
  foreach(library IN LISTS ARGN)
    if(TARGET ${library}${KEYHOLE_LAYOUT_SUFFIX})
      list(APPEND result ${library}${KEYHOLE_LAYOUT_SUFFIX})
    else()
      list(APPEND result ${library})
    endif()
  endforeach()
  set(${out} ${result} PARENT_SCOPE)
endfunction()

# keyhole_unit_test(NAME FOLDER LIBRARIES... [AS_ONE FILTER]): the GoogleTest binary of a folder of tests/, or of a list
# of folders, for the current header layout. AS_ONE: the tests that FILTER selects run in one process, and count as one.
function(keyhole_unit_test name folder)
  cmake_parse_arguments(PARSE_ARGV 2 "" "" "AS_ONE" "")
  list(TRANSFORM folder PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(TRANSFORM folder APPEND /*_test.cpp)
  file(GLOB sources CONFIGURE_DEPENDS ${folder})
  if(sources)
    set(target ${name}${KEYHOLE_LAYOUT_SUFFIX})
    keyhole_of_layout(libraries ${_UNPARSED_ARGUMENTS})
    keyhole_unity(sources ${name} ${sources})
    add_executable(${target} ${sources})
    keyhole_precompiled(${target} keyhole_test_headers)
    target_link_libraries(${target} PRIVATE ${libraries} GTest::gtest_main GTest::gmock)
    target_compile_definitions(${target} PRIVATE KEYHOLE_TEST_CODE=1)   # runtime/base/capabilities.h
    if(_AS_ONE)
      add_test(NAME ${target} COMMAND ${target} "--gtest_filter=${_AS_ONE}")
      set_tests_properties(${target} PROPERTIES LABELS ${target})
      return()
    endif()
    set(suffix)
    if(KEYHOLE_LAYOUT_SUFFIX)
      set(suffix TEST_SUFFIX ${KEYHOLE_LAYOUT_SUFFIX})
    endif()
    gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST ${suffix} PROPERTIES LABELS ${target})
  endif()
endfunction()
