// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Is made by First.
package inside;

public class Second {
    @Override
    public String toString() {
        return "second";
    }
}
