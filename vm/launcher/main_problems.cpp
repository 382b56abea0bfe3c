// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The texts of java's launchers of releases 17 and 25.
#include "vm/launcher/main_problems.h"

#include <fmt/format.h>

#include "vm/launcher/instance_main.h"

namespace keyhole {
namespace {

constexpr const char* main_declaration = "   public static void main(String[] args)";

std::string text_for_source_file(MainProblem problem, const std::string& name) {
  switch (problem) {
    case MainProblem::Missing:
      return fmt::format("error: can't find main(String[]) {}method in class: {}",
                         library_has_instance_main() ? "or main() " : "", name);
    case MainProblem::NotStatic: return "error: 'main' method is not declared 'public static'";
    case MainProblem::NotVoid: return "error: 'main' method is not declared with a return type of 'void'";
    case MainProblem::Abstract: return fmt::format("error: abstract class: {} can not be instantiated", name);
    case MainProblem::Inner:
    case MainProblem::NoConstructor: return fmt::format("error: can't find no argument constructor in class: {}", name);
  }
  return {};
}

std::string text_for_class(MainProblem problem, const std::string& name) {
  switch (problem) {
    case MainProblem::Missing:
      return fmt::format(
          "Error: Main method not found in class {}, please define the main method as:\n{}\n"
          "or a JavaFX application class must extend javafx.application.Application",
          name, main_declaration);
    case MainProblem::NotStatic:
      return fmt::format("Error: Main method is not static in class {}, please define the main method as:\n{}", name,
                         main_declaration);
    case MainProblem::NotVoid:
      return fmt::format(
          "Error: Main method must return a value of type void in class {}, please \n"
          "define the main method as:\n{}",
          name, main_declaration);
    case MainProblem::Abstract:
      return fmt::format("Error: abstract class {} can not be instantiated\nplease use a concrete class", name);
    case MainProblem::Inner:
      return fmt::format(
          "Error: non-static inner class {} constructor can not be invoked \n"
          "make inner class static or move inner class out to separate source file",
          name);
    case MainProblem::NoConstructor:
      return fmt::format(
          "Error: no non-private zero argument constructor found in class {}\n"
          "remove private from existing constructor or define as:\n   public {}()",
          name, name);
  }
  return {};
}

}  // namespace

std::string text_of(MainProblem problem, const std::string& class_name, bool from_source_file) {
  return from_source_file ? text_for_source_file(problem, class_name) : text_for_class(problem, class_name);
}

}  // namespace keyhole
