# Compiler and linker options shared by every target.
#
#   keyhole_options      what each target of ours is compiled with
#   build types          Release: -O2, assertions off.  Debug: -O1 -g, assertions on (KEYHOLE_DEBUG), still fast enough
#                                                       to boot.  With sanitizers -g1: they need lines, not variables,
#                                                       and compile a fifth faster.

add_library(keyhole_options INTERFACE)
target_include_directories(keyhole_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(keyhole_options INTERFACE
  -Wall -Wextra -Wno-unused-parameter -Werror=return-type -Wthread-safety -Werror=thread-safety
  -Wno-invalid-offsetof
  -fno-strict-aliasing -fno-exceptions -fno-rtti -fno-plt
  # A source location names its file from the top of the tree: the compiler cache gives one checkout what another has
  # compiled, and the other's folder may be gone when somebody asks for the line.
  -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=)
target_link_options(keyhole_options INTERFACE -fuse-ld=lld -no-pie)

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g -DKEYHOLE_DEBUG=1")

if(KEYHOLE_SANITIZE)
  set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1 -DKEYHOLE_DEBUG=1")
  # A finding ends the program, because a test that only prints it would pass.
  target_compile_options(keyhole_options INTERFACE -fsanitize=${KEYHOLE_SANITIZE} -fno-sanitize=alignment,vptr,function
    -fno-sanitize-recover=all)
  target_link_options(keyhole_options INTERFACE -fsanitize=${KEYHOLE_SANITIZE})
  if(KEYHOLE_SANITIZE MATCHES "address")
    # Handlers are preserve_none: the compiler cannot realign their frames around the dynamic allocas of
    # AddressSanitizer.
    target_compile_options(keyhole_options INTERFACE "SHELL:-mllvm -asan-stack-dynamic-alloca=0")
  endif()
endif()

# KEYHOLE_COVERAGE: lines and branches that run are counted (clang's source-based coverage); tests/coverage.py builds
# and reports. Compiled fast: -O1, without lines for a debugger.
option(KEYHOLE_COVERAGE "count the lines that run, for tests/coverage.py" OFF)
if(KEYHOLE_COVERAGE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
  set(keyhole_coverage -fprofile-instr-generate -fcoverage-mapping
    -fcoverage-prefix-map=${CMAKE_SOURCE_DIR}/= -fcoverage-compilation-dir=.)   # paths from the top of the tree
  target_compile_options(keyhole_options INTERFACE ${keyhole_coverage})
  # The VM ends by _exit, which runs no destructor: coverage_exit.cpp writes the counts before.
  target_link_options(keyhole_options INTERFACE -fprofile-instr-generate -Wl,--wrap=_exit)
  add_library(keyhole_coverage_exit OBJECT ${CMAKE_SOURCE_DIR}/cmake/coverage_exit.cpp)
  target_link_libraries(keyhole_options INTERFACE $<TARGET_OBJECTS:keyhole_coverage_exit>)
endif()
