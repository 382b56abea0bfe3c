// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 1.2: the program asks for the hash while the header is in the thread's record.
public class HashedWhileHeld {
    static class Subject { }

    public static void main(String[] args) {
        Subject subject = new Subject();
        synchronized (subject) {
            System.out.println(subject.hashCode() != 0);
        }
    }
}
