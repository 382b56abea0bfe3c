// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// StringBuilder and String with surrogate pairs: code points, reverse, insertion, deletion.
public class SurrogateBuilders {
    public static void main(String[] args) {
        StringBuilder b = new StringBuilder("a").appendCodePoint(0x1F600).append('\ud83d').append('\ude01').append('z');
        System.out.println(b.length() + " " + b.codePointCount(0, b.length()) + " "
                + Integer.toHexString(b.codePointAt(1)) + " " + Integer.toHexString(b.codePointBefore(5)) + " "
                + b.offsetByCodePoints(0, 3));
        StringBuilder r = new StringBuilder(b).reverse();
        System.out.println(Integer.toHexString(r.codePointAt(1)) + " " + Integer.toHexString(r.codePointAt(3)) + " "
                + r.reverse().toString().contentEquals(b));
        b.deleteCharAt(1);
        System.out.println(b.codePointCount(0, b.length()) + " " + Character.isLowSurrogate(b.charAt(1)) + " "
                + b.toString().codePoints().filter(c -> c > 0xffff).count());
        b.setCharAt(0, '\ud83d');
        System.out.println(
                Integer.toHexString(b.codePointAt(0)) + " " + b.indexOf("z") + " " + b.insert(0, "x\u00e9").length());
        System.out.println(new String(new int[] {0x10FFFF, 65, 0x10000}, 0, 3).length() + " "
                + "\ud83d\ude00".substring(1).length() + " "
                + "a\ud83d\ude00b".indexOf(0x1F600) + " "
                + "a\ud83d\ude00b".lastIndexOf(0x1F600));
        try {
            b.appendCodePoint(0x110000);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            b.codePointAt(100);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(java.util.Arrays.toString("\ud83d!".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                + java.util.Arrays.toString("\ud83d\ude00".getBytes(java.nio.charset.StandardCharsets.UTF_16BE)));
        StringBuilder c = new StringBuilder(4);
        c.append(true)
                .append(1L)
                .append(2.5f)
                .append((Object) null)
                .append(new char[] {'q'})
                .replace(0, 4, "\u4e2d")
                .setLength(6);
        System.out.println(c.length() + " " + c.compareTo(new StringBuilder("z")) + " " + c.chars().sum());
    }
}
