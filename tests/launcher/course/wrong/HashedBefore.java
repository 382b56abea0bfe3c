// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 1.2: refused, because the hash is in the header before the lock, and moves into the record with it.
public class HashedBefore {
    static class Subject { }

    public static void main(String[] args) {
        Subject subject = new Subject();
        System.out.println(subject.hashCode() != 0);
        synchronized (subject) {
            System.out.println(subject.hashCode() != 0);
        }
    }
}
