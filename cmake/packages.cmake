# Packages with the files of `cmake --install`: keyhole_VERSION_amd64.deb, and a tarball that runs from any folder.
#
#   cmake --build --preset release --target packages       into build/release/packages
#
# The target builds all that belongs to a package. The Debian package is for the release of Debian that it is built on:
# dpkg-shlibdeps (of the packages dpkg-dev and file) finds the libraries that it needs. tests/packages.py installs it
# into a bare root.
if(NOT compact IN_LIST KEYHOLE_LAYOUTS)
  return()
endif()
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME keyhole)
set(CPACK_PACKAGE_CONTACT "The Keyhole authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "small Java virtual machine that shows what it does")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_FILE_NAME keyhole-${PROJECT_VERSION}-linux-x86_64)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION java)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The libraries for which this build has an overlay; another JDK would be of no use.
set(jdks "")
foreach(release 21 17 25)
  string(FIND "$CACHE{KEYHOLE_OVERLAYS}" "keyhole-overlay-${release}.jar" place)
  if(place GREATER_EQUAL 0)
    list(APPEND jdks openjdk-${release}-jdk-headless)
  endif()
endforeach()
list(JOIN jdks " | " CPACK_DEBIAN_PACKAGE_DEPENDS)
# The home for Java's tools is made when the package is installed, and removed with it.
set(postinst "/usr/lib/keyhole/keyhole -version >/dev/null 2>&1 || echo 'keyhole: no JDK 17, 21 or 25 is found yet'")
set(prerm "rm -rf /usr/lib/keyhole/home /usr/lib/keyhole/home-*")
foreach(script postinst prerm)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/debian/${script} @ONLY CONTENT "#!/bin/sh\nset -e\n${${script}}\n")
  file(CHMOD ${CMAKE_BINARY_DIR}/debian/${script}
    PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/debian/postinst ${CMAKE_BINARY_DIR}/debian/prerm)
# Otherwise cpack builds everything first, all tests included.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
include(CPack)
add_custom_target(packages COMMAND ${CMAKE_CPACK_COMMAND} --config ${CMAKE_BINARY_DIR}/CPackConfig.cmake
  WORKING_DIRECTORY ${CMAKE_BINARY_DIR} VERBATIM)
set(parts keyhole_overlay look_page lockreplay lockcheck mutexbench modelcheck)
foreach(layout IN LISTS KEYHOLE_LAYOUTS)
  string(REPLACE "_" "-" executable keyhole${keyhole_layout_suffix_${layout}})
  list(APPEND parts ${executable})
endforeach()
foreach(part IN LISTS parts)
  if(TARGET ${part})   # the checkers come with the tests
    add_dependencies(packages ${part})
  endif()
endforeach()
