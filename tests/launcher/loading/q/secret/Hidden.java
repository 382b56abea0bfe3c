// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
package q.secret;

public class Hidden {
    public static void run() {}
}
