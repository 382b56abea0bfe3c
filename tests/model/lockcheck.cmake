# model_checker(NAME SOURCE...): an executable with the model checker. Assertions are on in every build type: a failed
# one is a finding. Its names are exported, because the objects of loaded locks call it.
function(model_checker name)
  add_executable(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  keyhole_precompiled(${name})
  target_compile_definitions(${name} PRIVATE KEYHOLE_DEBUG=1 KEYHOLE_TEST_CODE=1)
  target_link_libraries(${name} PRIVATE keyhole_base)
endfunction()

# lockcheck, behind `keyhole lock check`: the checker without subjects. It needs no GoogleTest, so a build without tests
# has it, too.
file(GLOB picture_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/runtime/sync/picture/*.cpp)
set(checker_sources ${picture_sources})
foreach(source arena_new modelcheck picture_check scenarios toy_identity)
  list(APPEND checker_sources ${CMAKE_SOURCE_DIR}/tests/model/${source}.cpp)
endforeach()
model_checker(lockcheck ${checker_sources})
