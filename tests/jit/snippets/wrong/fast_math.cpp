// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A product and a sum that a machine may round only once.
// error: R5: snippet_multiply_add calculates less exactly than Java
#include "jit/snippets/declarations.h"

KEYHOLE_SNIPPET double snippet_multiply_add(double a, double b, double c) {
#pragma clang fp contract(fast)
  return a * b + c;
}
