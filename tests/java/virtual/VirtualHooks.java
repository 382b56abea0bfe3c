// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A shutdown hook that is a virtual thread, the first one of the program.
// since: 25
// virtual: no
public class VirtualHooks {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(Thread.ofVirtual().unstarted(() -> System.out.println("hook")));
        System.out.println("main ends");
    }
}
