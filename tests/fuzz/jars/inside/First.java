// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a Second.
package inside;

public class First {
    private final Second second = new Second();

    @Override
    public String toString() {
        return "first and " + second;
    }
}
