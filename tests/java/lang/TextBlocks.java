// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Text blocks and escapes.
public class TextBlocks {
    public static void main(String[] args) { System.out.print("""
        Hello,
          "World" \
        joined
        tab\tend\s
        日本 \u00e9
        """); System.out.println("\0\7\77\377".length()); }
}
