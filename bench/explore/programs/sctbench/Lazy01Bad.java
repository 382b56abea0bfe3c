// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The third thread assumes that it runs before the two others have added their shares.
public class Lazy01Bad {
    int data;

    synchronized void add(int amount) {
        data += amount;
    }

    synchronized void check() {
        assert data < 3 : "both have added";
    }

    public static void main(String[] arguments) throws InterruptedException {
        Lazy01Bad program = new Lazy01Bad();
        Thread one = new Thread(() -> program.add(1)), two = new Thread(() -> program.add(2));
        Thread three = new Thread(program::check);
        one.start();
        two.start();
        three.start();
        one.join();
        two.join();
        three.join();
    }
}
