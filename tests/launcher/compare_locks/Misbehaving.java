// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that give a comparison trouble.
public class Misbehaving {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "throws" -> throw new IllegalStateException("on purpose");
            case "exits" -> {
                System.out.println("before the exit");
                System.exit(3);
            }
            case "clock" -> System.out.println(System.nanoTime());
            case "echo" -> System.in.transferTo(System.out);
            case "waits" -> Thread.sleep(600_000);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
