// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
package kit;

public interface Face {
    int CONSTANT = 1;

    void call();

    default int inherited() {
        return 1;
    }

    static int shared() {
        return 2;
    }
}
