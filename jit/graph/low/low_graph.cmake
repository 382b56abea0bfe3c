# The low graph, the same for all header layouts: built once.
file(GLOB low_graph CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/jit/graph/low/*.cpp)
keyhole_unity(low_graph keyhole_low_graph ${low_graph})
add_library(keyhole_low_graph STATIC ${low_graph})
target_link_libraries(keyhole_low_graph PUBLIC keyhole_options fmt::fmt)
