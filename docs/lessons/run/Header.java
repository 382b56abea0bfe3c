public class Header {
    public static void main(String[] args) {
        Object account = new Header();
        synchronized (account) {
            synchronized (account) {
            }
        }
        account.hashCode();
        synchronized (account) {
        }
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
