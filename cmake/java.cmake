# The Java homes of this machine: those of the releases 17, 21 and 25 that are installed.
#
#   keyhole_find_home(25 bin/javac HOME)   the first home of that release that has the file; unset if no home has it
#   keyhole_find_compiler(17 HOME)         the oldest home with a javac that knows that release
#   keyhole_jdk                            the oldest home with a javac, for Java's tools
#
# A home is a folder with lib/modules. These are looked at, in this order: $KEYHOLE_JAVA_HOME, $JAVA_HOME, the home of
# the javac or java on the PATH, /usr/lib/jvm, and build/libraries, where ./keyhole --fetch-library puts its own.
set(keyhole_releases 17 21 25)
set(keyhole_homes "")
foreach(named IN ITEMS "$ENV{KEYHOLE_JAVA_HOME}" "$ENV{JAVA_HOME}")
  if(named)
    list(APPEND keyhole_homes "${named}")
  endif()
endforeach()
foreach(tool javac java)
  find_program(keyhole_${tool}_on_path ${tool} NO_CACHE)
  if(keyhole_${tool}_on_path)
    file(REAL_PATH "${keyhole_${tool}_on_path}" real)
    cmake_path(GET real PARENT_PATH bin)
    cmake_path(GET bin PARENT_PATH home)
    list(APPEND keyhole_homes "${home}")
  endif()
endforeach()
file(GLOB installed /usr/lib/jvm/*)
list(APPEND keyhole_homes ${installed})
foreach(release IN LISTS keyhole_releases)
  list(APPEND keyhole_homes ${CMAKE_SOURCE_DIR}/build/libraries/${release})
endforeach()

function(keyhole_find_home release needed result)
  unset(${result} PARENT_SCOPE)
  foreach(home IN LISTS keyhole_homes)
    if(EXISTS ${home}/${needed} AND EXISTS ${home}/lib/modules AND EXISTS ${home}/release)
      file(STRINGS ${home}/release version REGEX "^JAVA_VERSION=\"${release}[.\"]")
      if(version)
        # A home that Keyhole made consists of links to a JDK.
        file(REAL_PATH ${home}/lib lib)
        cmake_path(GET lib PARENT_PATH home)
        set(${result} ${home} PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()

function(keyhole_find_compiler at_least result)
  unset(${result} PARENT_SCOPE)
  foreach(release IN LISTS keyhole_releases)
    if(NOT release LESS at_least)
      keyhole_find_home(${release} bin/javac found)
      if(found)
        set(${result} ${found} PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()

keyhole_find_compiler(17 keyhole_jdk)
if(NOT keyhole_jdk)
  message(FATAL_ERROR "no JDK 17, 21 or 25 found: install one, or set JAVA_HOME to the home of one")
endif()
