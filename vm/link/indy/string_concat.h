// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// String concatenation: one native call per evaluation, two allocations (the byte array and the String), no other
// garbage.
//
//   "a" + i + ": " + object        site (int, Object)String, recipe "a\1: \1"
//
//   shape class, one per list of argument kinds (int, Object), shared by all sites of that shape:
//     static String convert(int a, Object b, Object recipe) { return concat(a, String.valueOf(b), recipe); }
//     static native String concat(int a, String b, Object recipe);
//
// Objects, floats and doubles become Strings in Java first; the native writes strings, chars, booleans and integers
// straight into the result. A shape without such arguments links its site to `concat` itself. The recipe is the site's
// appendix: a java.lang.Long with the address of a ConcatRecipe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vm/link/indy/support.h"

namespace keyhole::indy {

// The recipe of one site: literals and arguments in order. It is immutable and lives as long as the class with the
// site.
struct ConcatRecipe {
  struct Piece {
    BasicType type;  // Illegal: the literal; Reference: a String or null
    u16 slot;        // the slot that holds the native's argument
    std::u16string literal;
    bool literal_is_latin1;
    std::string latin1_literal;  // its bytes then
  };
  std::vector<Piece> pieces;
};

// One part of a site's text: the next argument, or characters.
struct ConcatText {
  std::u16string text;
  bool is_argument;
};
// The recipe object of a site in `caller` for arguments of these types (field descriptors), or null with a pending
// exception.
[[nodiscard]] Object* make_concat_recipe(JavaThread* thread, const InstanceKlass* caller,
                                         const std::vector<std::string>& arguments,
                                         const std::vector<ConcatText>& parts) MAY_SAFEPOINT;

// The parts of a concatenation, for generated classes (a record's toString concatenates, too). Adds the native method
// `concat` for arguments of these types followed by the recipe, and returns its descriptor.
std::string add_concat_native(ClassWriter& writer, const std::vector<std::string>& arguments);
// Converts the argument on top of the operand stack to the type that the native takes.
void convert_for_concat(CodeWriter& code, std::string_view argument);
// Gives the `concat` method of the defined class its body.
Method* bind_concat_native(InstanceKlass* klass);

// Fills the link of a site of type `descriptor`.
[[nodiscard]] bool link_concat(JavaThread* thread, const InstanceKlass* caller, std::string_view descriptor,
                               const std::vector<ConcatText>& parts, CallSiteLink& link) MAY_SAFEPOINT;
// Links an invokedynamic of StringConcatFactory.makeConcatWithConstants or makeConcat; `handled` as in lambda.h.
[[nodiscard]] bool link_string_concat(JavaThread* thread, Method* method, u32 constant_index, bool with_constants,
                                      CallSiteLink& link, bool& handled) MAY_SAFEPOINT;

std::u16string utf16_of(std::string_view modified_utf8);

}  // namespace keyhole::indy
