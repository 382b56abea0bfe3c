// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Appending one buffer to another asks for the length and then for the characters, and a deletion comes between.
public class StringBufferBad {
    static class Text {
        private char[] characters;
        private int length;

        Text(String text) {
            characters = text.toCharArray();
            length = characters.length;
        }

        synchronized int length() {
            return length;
        }

        synchronized void copyTo(int end, char[] target, int from) {
            if (end > length) throw new StringIndexOutOfBoundsException(end);
            for (int i = 0; i < end; i++) target[from + i] = characters[i];
        }

        synchronized void clear() {
            length = 0;
        }

        synchronized void append(Text other) {
            int added = other.length();
            char[] longer = new char[length + added];
            copyTo(length, longer, 0);
            other.copyTo(added, longer, length);
            characters = longer;
            length += added;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Text source = new Text("abc");
        Thread eraser = new Thread(source::clear);
        eraser.start();
        new Text("").append(source);
        eraser.join();
    }
}
