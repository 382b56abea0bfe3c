// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The texts of --help and -X.
#include "vm/launcher/help.h"

#include <fmt/format.h>

#include "runtime/base/flags.h"

namespace keyhole {

std::string help_text() {
  return "Usage: keyhole [options] <mainclass> [args...]\n"
         "           (to execute a class)\n"
         "   or  keyhole [options] -jar <jarfile> [args...]\n"
         "           (to execute a jar file)\n"
         "   or  keyhole [options] -m <module>[/<mainclass>] [args...]\n"
         "       keyhole [options] --module <module>[/<mainclass>] [args...]\n"
         "           (to execute the main class in a module)\n"
         "   or  keyhole [options] <sourcefile>.java [args]\n"
         "           (to compile one source file with javac and execute it)\n\n"
         " where options include:\n\n"
         "    -cp <class search path of directories and jar files>\n"
         "    -classpath <class search path of directories and jar files>\n"
         "    --class-path <class search path of directories and jar files>\n"
         "                  A : separated list of directories and JAR archives\n"
         "    -p <module path>\n"
         "    --module-path <module path>...\n"
         "                  A : separated list of elements, each element is a file path\n"
         "                  to a module or a directory containing modules\n"
         "    --add-modules <module name>[,<module name>...]\n"
         "                  root modules to resolve in addition to the initial module;\n"
         "                  also ALL-DEFAULT, ALL-SYSTEM, ALL-MODULE-PATH\n"
         "    --list-modules\n"
         "                  list observable modules and exit\n"
         "    -d <module name>\n"
         "    --describe-module <module name>\n"
         "                  describe a module and exit\n"
         "    --dry-run     create VM and load main class but do not execute main method\n"
         "    --validate-modules\n"
         "                  validate all modules and exit\n"
         "    -D<name>=<value>\n"
         "                  set a system property\n"
         "    -verbose:[class|gc]\n"
         "                  enable verbose output for the given subsystem\n"
         "    --source <version>\n"
         "                  the version of Java that a source file is written in\n"
         "    -version      print the version to the error stream and exit\n"
         "    --version     print the version to the output stream and exit\n"
         "    -showversion  print the version to the error stream and continue\n"
         "    -? -h -help   print this help message to the error stream\n"
         "    --help        print this help message to the output stream\n"
         "    --show <recording>\n"
         "                  show what -XX:StartRecording=<file> has recorded;\n"
         "                  see --show --help\n"
         "    --look [options] <program>\n"
         "                  run a program, and make a page for a browser of what it did;\n"
         "                  see --look --help\n"
         "    --compare-locks [options] <program>\n"
         "                  run a program in every locking mode;\n"
         "                  see --compare-locks --help\n"
         "    lock <command>\n"
         "                  make, check and measure a lock of one's own;\n"
         "                  see lock --help\n"
         "    --explain [topic]\n"
         "                  lessons of two minutes about what goes on in the VM\n"
         "    -X            print help on extra options and on the -XX flags to the output\n"
         "                  stream\n"
         "    -ea[:<packagename>...|:<classname>]\n"
         "    -enableassertions[:<packagename>...|:<classname>]\n"
         "                  enable assertions with specified granularity\n"
         "    -da[:<packagename>...|:<classname>]\n"
         "    -disableassertions[:<packagename>...|:<classname>]\n"
         "                  disable assertions with specified granularity\n"
         "    -esa | -enablesystemassertions\n"
         "                  enable system assertions\n"
         "    -dsa | -disablesystemassertions\n"
         "                  disable system assertions\n"
         "    -agentlib:jdwp[=<options>]\n"
         "                  wait for, or connect to, a debugger;\n"
         "                  see also -agentlib:jdwp=help\n"
         "    -javaagent:<jarpath>[=<options>]\n"
         "                  load Java programming language agent, see java.lang.instrument\n"
         "    @argument files\n"
         "                  one or more argument files containing options\n\n"
         "JAVA_TOOL_OPTIONS, KEYHOLE_OPTIONS and JDK_JAVA_OPTIONS in the environment hold\n"
         "options that are read first, _JAVA_OPTIONS such as are read last.\n"
         "--library <release>, before all others, chooses an installed class library.\n"
         "KEYHOLE_JAVA_HOME or -Djava.home names the JDK whose class library is used.\n";
}

namespace {

// Indents a sentence below its option, and breaks it into lines that fit.
std::string indented(std::string_view sentence) {
  constexpr std::string_view indentation = "                      ";
  constexpr usize width = 98;
  std::string text;
  while (sentence.size() > width) {
    usize space = sentence.rfind(' ', width);
    if (space == std::string_view::npos) break;
    text += fmt::format("{}{}\n", indentation, sentence.substr(0, space));
    sentence.remove_prefix(space + 1);
  }
  return text + fmt::format("{}{}\n", indentation, sentence);
}

}  // namespace

std::string extra_help_text() {
  std::string text =
      "\n"
      "    --add-exports <module>/<package>=<target-module>(,<target-module>)*\n"
      "    --add-opens <module>/<package>=<target-module>(,<target-module>)*\n"
      "                      exports or opens a package to modules, or to ALL-UNNAMED\n"
      "    --add-reads <module>=<target-module>(,<target-module>)*\n"
      "                      lets a module read others, whatever its declaration says\n"
      "    --limit-modules <module name>[,<module name>...]\n"
      "                      limit the observable modules\n"
      "    --patch-module <module>=<file>(:<file>)*\n"
      "                      classes and resources that replace or join a module's\n"
      "    -Xbootclasspath/a:<directories and jar files separated by :>\n"
      "                      append to the end of the boot class path\n"
      "    -Xcomp            compile methods at their first call\n"
      "    -Xdiag            show the trace of what keeps the main class from running\n"
      "    -Xint             interpreted mode execution only\n"
      "    -Xlog:<opts>      configure logging; -Xlog:help says how\n"
      "    -Xmn<size>        set the size of the young generation in bytes\n"
      "    -Xms<size>        set initial heap size in bytes\n"
      "    -Xmx<size>        set maximum heap size in bytes\n"
      "    -Xrs              signals that end the process are not handled\n"
      "    -XshowSettings[:all|vm|properties|locale|security|system]\n"
      "                      show settings and go on\n"
      "    -Xss<size>        set Java thread stack size in bytes\n\n"
      "    -XX:Flags=<file>  read flags, without -XX:, from a file\n"
      "    -XX:VMOptionsFile=<file>\n"
      "                      read options of the VM from a file\n"
      "    -XX:OnError=<commands>\n"
      "                      run commands after a crash; %p is the process id\n\n"
      "Flags (-XX:+Name, -XX:-Name, -XX:Name=value; sizes take k, m, g):\n\n";
  for (const flags::Row& row : flags::rows()) {
    std::string_view form = row.type == flags::Type::boolean ? "[+-]" : "";
    text += fmt::format("    -XX:{}{}\n{}", form, row.name, indented(row.sentence));
  }
  text +=
      "\nOther flags of HotSpot are accepted, without effect here and with a warning that\n"
      "-Xlog:disable silences. The reasons for some:\n\n";
  for (const flags::InertRow& row : flags::inert_rows()) {
    text += fmt::format("    -XX:{}{}\n{}", row.is_boolean ? "[+-]" : "", row.name, indented(row.sentence));
  }
  return text;
}

}  // namespace keyhole
