// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 8.2: no other thread can see the object.
public class LeftOut {
    static class Subject {
        int value;
        synchronized void add(int n) { value += n; }
    }

    static int sum(int n) {
        Subject subject = new Subject();
        subject.add(n);
        subject.add(1);
        return subject.value;
    }

    public static void main(String[] args) {
        int all = 0;
        for (int i = 0; i < 20_000; i++) all += sum(i);
        System.out.println(all);
    }
}
