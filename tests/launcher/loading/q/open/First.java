// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
package q.open;

public class First {
    public static void run() {}
}
