# Unity build: the sources of a folder are compiled several at a time, as one text that includes them. Most of a
# source's time is the headers that it shares with its neighbours: a folder takes half to two thirds of the time
# that its sources take one by one.
#
#   keyhole_unity(OUT NAME SOURCES...)   what to compile for the target NAME
#   KEYHOLE_UNITY=OFF                    each source for itself: shows one that does not include what it uses, and is
#                                        quicker for somebody who edits one source again and again
#
# Names of an anonymous namespace are seen by the neighbours too: two files of a folder may not give the same name to
# different things. A source with options or definitions of its own, or with the property SKIP_UNITY_BUILD_INCLUSION, is
# compiled for itself.
# CMake's own UNITY_BUILD writes the absolute paths of the sources, and every checkout would have a cache of its own.
option(KEYHOLE_UNITY "compile the sources of a folder several at a time" ON)
# More sources at a time are hardly faster, and a change of one source compiles all of them.
set(KEYHOLE_UNITY_SOURCES 6 CACHE STRING "how many sources are compiled together; 1000 finds names that clash")

function(keyhole_unity out name)
  set(alone)
  set(folders)
  foreach(source IN LISTS ARGN)
    get_filename_component(source ${source} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${source})
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    get_source_file_property(skip ${source} SKIP_UNITY_BUILD_INCLUSION)
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    cmake_path(IS_PREFIX CMAKE_BINARY_DIR ${source} generated)
    if(NOT KEYHOLE_UNITY OR skip OR options OR definitions OR generated OR NOT source MATCHES "[.]cpp$")
      list(APPEND alone ${source})
    else()
      get_filename_component(folder ${path} DIRECTORY)
      list(APPEND folders ${folder})
      list(APPEND "sources_${folder}" ${path})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  set(texts)
  foreach(folder IN LISTS folders)
    string(REPLACE "/" "_" folder_name ${folder})
    set(number 0)
    while(sources_${folder})
      list(SUBLIST sources_${folder} 0 ${KEYHOLE_UNITY_SOURCES} together)
      list(REMOVE_ITEM sources_${folder} ${together})
      list(TRANSFORM together REPLACE "(.+)" "#include \"\\1\"\n")
      string(JOIN "" contents ${together})
      set(text ${CMAKE_BINARY_DIR}/unity/${name}/${folder_name}_${number}.cpp)
      file(CONFIGURE OUTPUT ${text} CONTENT "${contents}" @ONLY)
      list(APPEND texts ${text})
      math(EXPR number "${number} + 1")
    endwhile()
  endforeach()
  set(${out} ${alone} ${texts} PARENT_SCOPE)
endfunction()
