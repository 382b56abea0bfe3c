# The library of the low graph. The low graph does not depend on the header layout, so it is built only once, for the VM
# and for the LLVM plug-in, which is a shared library.
file(GLOB low_graph CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/jit/graph/low/*.cpp)
keyhole_unity(low_graph keyhole_low_graph ${low_graph})
add_library(keyhole_low_graph STATIC ${low_graph})
set_target_properties(keyhole_low_graph PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_link_libraries(keyhole_low_graph PUBLIC keyhole_options fmt::fmt)
