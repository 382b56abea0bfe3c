// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Methods of String for formatted text: formatted, indent, stripIndent, transform, translateEscapes; text blocks.
// since: 21
public class FormatAndText {
    public static void main(String[] arguments) {
        System.out.println("%s has %d, %5.2f|%-5s|%05d|%,d|%x".formatted("a", 3, 2.5, "ab", 42, 1234567, 255));
        System.out.println("one\n  two\n".indent(2) + "|" + "  x\n    y\n".stripIndent() + "|");
        System.out.println("  7 ".strip().<Integer>transform(Integer::parseInt) + 1);
        System.out.println("tab\\tnew\\nline \\101 \\s.".translateEscapes());
        String block = """
            a block \
            joined
              "quoted" \t tab
            end\s
            """;
        System.out.println(block.lines().toList());
        System.out.println("\u2000 x".strip() + "|" + " x ".isBlank() + "|" + "ab".chars().sum() + "|" + "x".compareToIgnoreCase("Y"));
        System.out.println(String.join("-", java.util.List.of("a", "b")) + " " + "a1b22".replaceAll("[0-9]+", "<$0>"));
    }
}
