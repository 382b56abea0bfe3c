// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0

// Says what it reads, and ends with the exit code that it is given.
public class Echo {
  public static void main(String[] arguments) throws Exception {
    System.out.write(System.in.readAllBytes());
    System.out.flush();
    System.exit(Integer.parseInt(arguments[0]));
  }
}
