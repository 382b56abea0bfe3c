// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Methods of String, StringBuilder and Character that came with 18 to 21: indexOf in a range, splitWithDelimiters,
// repeat, emoji, names of code points.
// since: 21
import java.util.Arrays;

public class StringsSince21 {
    public static void main(String[] arguments) {
        String text = "a,b;;c,d";
        System.out.println(text.indexOf(',', 2, 7) + " " + text.indexOf(',', 2, 5) + " " + text.indexOf(";c", 0, 6)
                           + " " + text.indexOf(";c", 0, 5));
        for (int[] range : new int[][] {{-1, 3}, {3, 2}, {0, 99}}) {
            try {
                System.out.println(text.indexOf('a', range[0], range[1]));
            } catch (StringIndexOutOfBoundsException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(Arrays.toString(text.splitWithDelimiters("[,;]", 0)));
        System.out.println(Arrays.toString(text.splitWithDelimiters(",", 2)));
        System.out.println(Arrays.toString("".splitWithDelimiters(",", 0)));
        StringBuilder builder = new StringBuilder("<");
        builder.repeat('x', 3).repeat("ab", 2).repeat(0x1F600, 2).repeat("never", 0).append('>');
        System.out.println(builder.length() + " " + builder);
        try {
            builder.repeat('x', -1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new StringBuffer().repeat("12", 3));
        for (int point : new int[] {'a', '#', 0x1F600, 0x1F3FB, 0x2764, 0x200D}) {
            System.out.println(Integer.toHexString(point) + " " + Character.isEmoji(point)
                + Character.isEmojiPresentation(point)
                               + Character.isEmojiModifier(point) + Character.isEmojiModifierBase(point)
                               + Character.isEmojiComponent(point) + Character.isExtendedPictographic(point));
        }
        System.out.println("x".repeat(3).equals(new StringBuilder().repeat("x", 3).toString()) + " "
                           + new StringBuilder("same").compareTo(new StringBuilder("some")));
        System.out.println("A\u0301e\u0301".codePoints().count() + " " + Character.getName(0x1FAE8));
        System.out.println("\u00df".equalsIgnoreCase("\u1e9e") + " " + "straße".indexOf("ße", 0, 6));
    }
}
