// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 8.2: refused, because every thread can reach the object through a static field.
public class NotLeftOut {
    static class Subject {
        int value;
        synchronized void add(int n) { value += n; }
    }

    static Subject seen;

    static int sum(int n) {
        Subject subject = seen = new Subject();
        subject.add(n);
        return subject.value;
    }

    public static void main(String[] args) {
        int all = 0;
        for (int i = 0; i < 20_000; i++) all += sum(i);
        System.out.println(all);
    }
}
