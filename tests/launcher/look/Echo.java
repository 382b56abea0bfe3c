// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0

// Prints its input, and ends with the given exit code.
public class Echo {
  public static void main(String[] arguments) throws Exception {
    System.out.write(System.in.readAllBytes());
    System.out.flush();
    System.exit(Integer.parseInt(arguments[0]));
  }
}
