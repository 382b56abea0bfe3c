// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
package kit;

public class Derived extends Base {
    protected int below;

    protected void below() {}
}
