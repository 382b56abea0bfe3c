// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// System.exit while hooks run: the exit code stays the first one's; exceptions in hooks do not change it.
public class HooksThatExit {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(
                new Thread(() -> { throw new IllegalStateException("in a hook"); }, "hook"));
        System.out.println("exiting");
        System.exit(3);
    }
}
