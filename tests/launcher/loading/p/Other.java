// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
package p;

public class Other {
    @Override
    public String toString() {
        return ", as it was";
    }
}
