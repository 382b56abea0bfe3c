// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A loop has inlined a method, which is redefined while the loop waits for another call that cannot be inlined. After
// that call, also if it threw an exception, the loop sees the new body.
import java.lang.instrument.ClassDefinition;
import java.nio.file.Files;
import java.nio.file.Path;

public class RedefinedInLoops {
    static final int TURNS = 20_000, CHANGE = 15_000;
    static final Subject subject = new Subject();
    static byte[] first, second;

    static void redefine(byte[] file) {
        try {
            Refused.instrumentation.redefineClasses(new ClassDefinition(Subject.class, file));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    interface Hook {
        int at(int turn);
    }

    static class Changes implements Hook {
        public int at(int turn) {
            if (turn == CHANGE) redefine(second);
            return turn;
        }
    }

    static class Adds implements Hook {
        int sum;

        public int at(int turn) {
            return sum += turn;
        }
    }

    static class Mixes implements Hook {
        int mixed;

        public int at(int turn) {
            return mixed ^= turn;
        }
    }

    static class Throws implements Hook {
        public int at(int turn) {
            if (turn == CHANGE + 3) redefine(second);
            if (turn % 4 == 3) throw new IllegalStateException();
            return turn;
        }
    }

    static long returned(Hook[] hooks) {
        long history = 0;
        for (int i = 0; i < TURNS; i++) {
            history = history * 31 + subject.getter();
            history += hooks[i & 3].at(i);
            history = history * 31 + subject.getter();
        }
        return history;
    }

    static long thrown(Hook[] hooks) {
        long history = 0;
        for (int i = 0; i < TURNS; i++) {
            history = history * 31 + subject.getter();
            try {
                history += hooks[i & 3].at(i);
            } catch (IllegalStateException e) {
                history = history * 37 + subject.getter();
            }
            history = history * 31 + subject.getter();
        }
        return history;
    }

    public static void main(String[] arguments) throws Exception {
        first = Files.readAllBytes(Path.of("classes/Subject.class"));
        second = Files.readAllBytes(Path.of("variants/second/Subject.class"));
        for (int round = 0; round < 3; round++) {
            System.out.println(returned(new Hook[] {new Changes(), new Adds(), new Mixes(), new Adds()}));
            redefine(first);
            System.out.println(thrown(new Hook[] {new Adds(), new Mixes(), new Adds(), new Throws()}));
            redefine(first);
        }
    }
}
