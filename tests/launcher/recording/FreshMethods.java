// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// New objects, each locked once, by a synchronized method of theirs that is small enough to be inlined.
public class FreshMethods {
    static final class Item {
        int value;

        synchronized int next() {
            return ++value;
        }
    }

    static Item last;

    static int makeSome() {
        int sum = 0;
        for (int i = 0; i < 1000; i++) {
            last = new Item();
            sum += last.next();
        }
        return sum;
    }

    public static void main(String[] arguments) {
        int sum = 0;
        for (int i = 0; i < 20_000; i++) sum += makeSome();
        System.out.println("made " + sum);
    }
}
