// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A hook that halts the VM with another exit code.
public class HookHalts {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.println("halting");
            System.out.flush();
            Runtime.getRuntime().halt(9);
        }));
        System.exit(3);
    }
}
