// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Defined by MethodHandles.Lookup, hidden and not.
class ByLookup {
    @Override
    public String toString() {
        return "what the file says, " + getClass().isHidden();
    }
}
