// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Listeners are called in a loop over a plain list, to which another thread adds one.
import java.util.ArrayList;
import java.util.List;

public class Groovy4292 {
    final List<Runnable> listeners = new ArrayList<>();
    int calls;

    void changed() {
        for (Runnable listener : listeners) listener.run();
    }

    synchronized void add(Runnable listener) {
        listeners.add(listener);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Groovy4292 registry = new Groovy4292();
        registry.add(() -> registry.calls++);
        registry.add(() -> registry.calls++);
        Thread adder = new Thread(() -> registry.add(() -> {}));
        adder.start();
        registry.changed();
        adder.join();
    }
}
