# keyhole_floor(NAME FOLDER LIBRARIES...): every .cpp of one folder of the house as a static library.
# LIBRARIES are the floors below that this folder may include; tests/floors checks the includes themselves.
function(keyhole_floor name folder)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  if(sources)
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PUBLIC keyhole_options ${ARGN})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE keyhole_options ${ARGN})
  endif()
endfunction()

# keyhole_unit_test(NAME FOLDER LIBRARIES...): the GoogleTest binary of one folder of tests/.
function(keyhole_unit_test name folder)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*_test.cpp)
  if(sources)
    add_executable(${name} ${sources})
    target_link_libraries(${name} PRIVATE ${ARGN} GTest::gtest_main GTest::gmock)
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES LABELS ${name})
  endif()
endfunction()
