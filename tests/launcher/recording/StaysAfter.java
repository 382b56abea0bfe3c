// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Runs the main method of another class, and stays until a byte comes from the input.
public class StaysAfter {
    public static void main(String[] arguments) throws Exception {
        Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        System.out.println("staying");
        System.in.read();
        System.exit(0);
    }
}
