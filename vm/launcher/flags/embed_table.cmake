# Makes a source of hotspot_flags.txt:
#   cmake -DTABLE=hotspot_flags.txt -DOUTPUT=hotspot_flags_table.cpp -P embed_table.cmake
file(READ ${TABLE} contents)
file(WRITE ${OUTPUT} "// Generated from vm/launcher/flags/hotspot_flags.txt.
#include \"vm/launcher/flags/hotspot_flags.h\"

namespace keyhole::hotspot_flags {

constinit const std::string_view table = R\"table(${contents})table\";

}  // namespace keyhole::hotspot_flags
")
