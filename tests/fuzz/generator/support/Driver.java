// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs generated programs one after the other, three times each, and prints a line for each: its name, and for each
// round the number of values and their digest.

public final class Driver {
    // From the second round on, classes are initialised and methods may be compiled.
    private static final int ROUNDS = 3;

    public static void main(String[] names) {
        for (String name : names) {
            StringBuilder line = new StringBuilder(name);
            for (int round = 0; round < ROUNDS; round++) {
                Digest.begin();
                try {
                    ((Runnable) Class.forName(name).getDeclaredConstructor().newInstance()).run();
                } catch (Throwable t) {
                    Digest.thrown(t);
                }
                line.append(' ').append(Digest.end());
            }
            System.out.println(line);
            System.out.flush();
        }
    }
}
