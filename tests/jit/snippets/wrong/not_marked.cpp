// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A snippet that the plug-in's first pass would not inline.
// error: R1: snippet_plain is not always_inline
extern "C" int snippet_plain(int value) { return value + 1; }
