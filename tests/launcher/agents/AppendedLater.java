// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class in a jar that an agent appends to the class path at run time.
public class AppendedLater {
    public String toString() {
        return "appended " + getClass().getClassLoader().getName();
    }
}
