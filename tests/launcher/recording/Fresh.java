// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// New objects, each locked once: 5000, one that another thread wants while main has it, 5000 more, and one that is
// locked twice. tests/launcher/recording.py counts them.
public class Fresh {
    static final class Item {
        int value;
    }

    static volatile Item shared;
    static Thread helper;

    static void touch(Item item, boolean shares) {
        synchronized (item) {
            item.value++;
            if (!shares) return;
            shared = item;
            while (helper.getState() != Thread.State.BLOCKED) Thread.onSpinWait();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        helper = new Thread(() -> {
            while (shared == null) Thread.onSpinWait();
            synchronized (shared) {
                shared.value++;
            }
        }, "helper");
        helper.start();
        for (int i = 0; i < 5000; i++) touch(new Item(), false);
        touch(new Item(), true);
        for (int i = 0; i < 5000; i++) touch(new Item(), false);
        Item twice = new Item();
        touch(twice, false);
        touch(twice, false);
        helper.join();
        System.out.println("touched " + (10_000 + shared.value + twice.value));
    }
}
