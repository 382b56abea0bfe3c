// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests how names that a program has chosen are written to a terminal, into JSON and into protobuf.
#include "runtime/base/shown_text.h"

#include <gtest/gtest.h>

#include <random>

namespace keyhole {
namespace {

TEST(ShownText, TerminalGetsNoControlCharacters) {
  EXPECT_EQ(for_terminal("main"), "main");
  EXPECT_EQ(for_terminal("J\xc3\xbcrgen \xe2\x82\xac \xf0\x9f\x98\x80"), "J\xc3\xbcrgen \xe2\x82\xac \xf0\x9f\x98\x80");
  EXPECT_EQ(for_terminal("\x1b]0;title\x07"), "\\u001b]0;title\\u0007");
  EXPECT_EQ(for_terminal("a\nb\tc\r\x7f"), "a\\u000ab\\u0009c\\u000d\\u007f");
  EXPECT_EQ(for_terminal("\xc2\x9b"
                         "31m"),
            "\\u009b31m");  // CSI in one character
  EXPECT_EQ(for_terminal("\xe2\x80\xae"
                         "evil"),
            "\\u202eevil");  // right to left
  EXPECT_EQ(for_terminal("\x9b"
                         "31m\xff"),
            "\\x9b31m\\xff");  // CSI of eight-bit terminals
}

TEST(ShownText, SurrogatesOfClassFilesAreCharacters) {
  constexpr const char* pair = "\xed\xa0\xbd\xed\xb8\x80";  // modified UTF-8
  EXPECT_EQ(for_terminal(pair), "\xf0\x9f\x98\x80");
  EXPECT_EQ(valid_utf8(pair), "\xf0\x9f\x98\x80");
  EXPECT_EQ(json_text(pair), "\"\xf0\x9f\x98\x80\"");
  EXPECT_EQ(for_terminal("\xed\xa0\xbd!"), "\\ud83d!");
  EXPECT_EQ(json_text("\xed\xa0\xbd!"), "\"\\ud83d!\"");
  EXPECT_EQ(valid_utf8("\xed\xa0\xbd!"), "\xef\xbf\xbd!");
}

TEST(ShownText, JsonIsValidWhateverTheNameIs) {
  EXPECT_EQ(json_text("a \"b\" \\ \n\x1b"), "\"a \\\"b\\\" \\\\ \\u000a\\u001b\"");
  EXPECT_EQ(json_text("\xc0\x80"), "\"\\u0000\"");  // 0 of modified UTF-8
  EXPECT_EQ(json_text("\xff\xe2\x82"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

TEST(ShownText, OverlongAndCutSequencesAreNoCharacters) {
  EXPECT_EQ(for_terminal("\xc1\x9b"), "\\xc1\\x9b");  // ESC in two bytes
  EXPECT_EQ(for_terminal("\xe0\x80\x9b"), "\\xe0\\x80\\x9b");
  EXPECT_EQ(for_terminal("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // after the last code point
  EXPECT_EQ(for_terminal("\xf0\x9f\x98"), "\\xf0\\x9f\\x98");
}

// The shown text contains no character that a terminal would obey.
TEST(ShownText, RandomBytesAreHarmless) {
  std::mt19937 random(1);
  for (u32 round = 0; round < 20'000; ++round) {
    std::string text;
    for (u32 i = static_cast<u32>(random()) % 12; i > 0; --i) text += static_cast<char>(random());
    std::string shown = for_terminal(text);
    for (usize i = 0; i < shown.size(); ++i) {
      u8 byte = static_cast<u8>(shown[i]);
      ASSERT_TRUE(byte >= 0x20 && byte != 0x7F) << round;
      ASSERT_FALSE(byte == 0xC2 && static_cast<u8>(shown[i + 1]) < 0xA0) << round;
    }
    EXPECT_EQ(valid_utf8(valid_utf8(text)), valid_utf8(text));
    EXPECT_EQ(for_terminal(shown), shown);
  }
}

}  // namespace
}  // namespace keyhole
