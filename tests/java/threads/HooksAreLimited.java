// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A shutdown hook cannot register or remove hooks.
public class HooksAreLimited {
    public static void main(String[] args) {
        Thread late = new Thread(() -> System.out.println("late"));
        Thread removed = new Thread(() -> System.out.println("removed"));
        Runtime.getRuntime().addShutdownHook(removed);
        System.out.println(Runtime.getRuntime().removeShutdownHook(removed) + " "
                + Runtime.getRuntime().removeShutdownHook(removed));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                Runtime.getRuntime().addShutdownHook(late);
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
            try {
                Runtime.getRuntime().removeShutdownHook(late);
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }));
        try {
            Runtime.getRuntime().addShutdownHook(late);
            Runtime.getRuntime().addShutdownHook(late);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Runtime.getRuntime().removeShutdownHook(late);
    }
}
