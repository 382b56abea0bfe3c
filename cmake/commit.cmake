# Writes OUTPUT, a source that defines commit_of_build() (vm/launcher/commit.h): the commit of the tree SOURCE, with
# "-dirty" when files differ from it. COMMIT, if given, is that text. It is empty outside of a clone. Run at every build;
# the file is written only when it changes.
if(NOT COMMIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 "--exclude=*"
    OUTPUT_VARIABLE COMMIT ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "vm/launcher/commit.h"

namespace keyhole {

std::string_view commit_of_build() { return "@COMMIT@"; }

}  // namespace keyhole
]])
