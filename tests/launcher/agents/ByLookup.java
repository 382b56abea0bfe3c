// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class that MethodHandles.Lookup defines, as a hidden class and as an ordinary one.
class ByLookup {
    @Override
    public String toString() {
        return "what the file says, " + getClass().isHidden();
    }
}
