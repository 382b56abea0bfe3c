// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// System.exit ends the VM with its code, running no further code of this thread.
public class ExitCode {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        try { System.out.println("exiting"); System.exit(42); } finally { System.out.println("never"); }
    }
}
