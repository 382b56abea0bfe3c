// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two vectors retain each other's elements at once: a vector locks itself, and then the other one for each look-up.
import java.util.List;
import java.util.Vector;

public class Jdk6934356 {
    public static void main(String[] arguments) throws InterruptedException {
        Vector<Object> one = new Vector<>(List.of("element")), two = new Vector<>(List.of("element"));
        Thread first = new Thread(() -> one.retainAll(two)), second = new Thread(() -> two.retainAll(one));
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
