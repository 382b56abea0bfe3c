# A home for Java's tools beside the executable, and in what `cmake --install` makes:
#
#   <prefix>/bin/keyhole -> ../lib/keyhole/keyhole
#   <prefix>/lib/keyhole/keyhole, keyhole-classic, keyhole-tiny, lockreplay, keyhole-overlay-17.jar, ...
#   <prefix>/lib/keyhole/home       JAVA_HOME for Maven, Gradle, IDEs
#   <prefix>/lib/keyhole/lockcheck, mutexbench, include       for `keyhole lock`: what locks are compiled with
#   <prefix>/share/doc/keyhole      the documents, the examples, the licence
#
# What has not been built is left out. A package (packages.cmake) is the same, without the home, which belongs to a JDK
# of the machine.
#
# The VM makes its home itself at its first start (vm/classfile/java_home.h): here it is started.
if(NOT compact IN_LIST KEYHOLE_LAYOUTS)
  return()
endif()
if(NOT KEYHOLE_SANITIZE)
  # The output is a stamp file, because ninja creates the folders of an output, and a folder named home that is no home
  # is not replaced.
  set(stamp ${CMAKE_BINARY_DIR}/.home)
  add_custom_command(OUTPUT ${stamp} COMMAND sh -c "$<TARGET_FILE:keyhole> -version 2>/dev/null && touch ${stamp}"
    DEPENDS keyhole COMMENT "home" VERBATIM)
  add_custom_target(keyhole_home ALL DEPENDS ${stamp})
  add_dependencies(keyhole_home keyhole_overlay)
endif()

foreach(layout IN LISTS KEYHOLE_LAYOUTS)
  string(REPLACE "_" "-" executable keyhole${keyhole_layout_suffix_${layout}})
  install(PROGRAMS ${CMAKE_BINARY_DIR}/${executable} DESTINATION lib/keyhole OPTIONAL)
endforeach()
foreach(program lockreplay lockcheck mutexbench modelcheck modelcheck-tiny)
  install(PROGRAMS ${CMAKE_BINARY_DIR}/${program} DESTINATION lib/keyhole OPTIONAL)
endforeach()
foreach(folder runtime tests/model bench/mutexbench)
  cmake_path(GET folder PARENT_PATH above)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/${folder} DESTINATION lib/keyhole/include/${above}
          FILES_MATCHING PATTERN *.h PATTERN *.def PATTERN edited EXCLUDE)
endforeach()
foreach(folder gc vm)   # their flags
  file(GLOB tables ${CMAKE_SOURCE_DIR}/${folder}/*_flags.def)
  install(FILES ${tables} DESTINATION lib/keyhole/include/${folder})
endforeach()
get_target_property(fmt_headers fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
install(DIRECTORY ${fmt_headers}/fmt DESTINATION lib/keyhole/include)
install(FILES ${CMAKE_BINARY_DIR}/look-page.html DESTINATION lib/keyhole OPTIONAL)
if(TARGET keyhole_llvm)
  install(FILES $<TARGET_FILE:keyhole_llvm> DESTINATION lib/keyhole)
endif()
foreach(file IN LISTS KEYHOLE_OVERLAYS)   # jars and homes
  if(file MATCHES "[.]jar$")
    install(FILES ${file} DESTINATION lib/keyhole)
  endif()
endforeach()
set(documents share/doc/keyhole)
install(FILES README.md CHANGELOG.md LICENSE NOTICE DESTINATION ${documents})
install(DIRECTORY docs examples DESTINATION ${documents}
        FILES_MATCHING PATTERN *.md PATTERN *.java PATTERN *.svg)
install(CODE [[
  set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
  file(MAKE_DIRECTORY "${prefix}/bin")
  file(CREATE_LINK ../lib/keyhole/keyhole "${prefix}/bin/keyhole" SYMBOLIC)
  foreach(tool modelcheck mutexbench)
    file(REMOVE "${prefix}/bin/keyhole-${tool}")
    if(EXISTS "${prefix}/lib/keyhole/${tool}")
      file(CREATE_LINK ../lib/keyhole/${tool} "${prefix}/bin/keyhole-${tool}" SYMBOLIC)
    endif()
  endforeach()
  if(NOT prefix MATCHES "/_CPack_Packages/")
    file(REMOVE_RECURSE "${prefix}/lib/keyhole/home")
    execute_process(COMMAND "${prefix}/lib/keyhole/keyhole" -version OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "the installed VM does not start: ${prefix}/lib/keyhole/keyhole -version")
    endif()
  endif()
]])
