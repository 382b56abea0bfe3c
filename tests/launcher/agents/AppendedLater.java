// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in a jar that an agent appends to the class path while it runs.
public class AppendedLater {
    public String toString() {
        return "appended " + getClass().getClassLoader().getName();
    }
}
