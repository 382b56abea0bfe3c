// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
package q.open;

public class Second {
    public static q.secret.Hidden hidden;

    public static Class<?> named(String name) throws ClassNotFoundException {
        return Class.forName(name);
    }
}
