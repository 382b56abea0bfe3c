// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// main throws a checked exception with a cause.
public class ThrowsError {
    static class Custom extends Exception {
        Custom(String m, Throwable c) {
            super(m, c);
        }

        @Override
        public String toString() {
            return "Custom<" + getMessage() + ">";
        }
    }

    public static void main(String[] args) throws Exception {
        try {
            Object o = "s";
            Integer i = (Integer) o;
        } catch (ClassCastException e) {
            throw new Custom("wrapped", e);
        }
    }
}
