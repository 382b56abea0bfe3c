// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Private methods of interfaces, called in hot code: receivers of several classes that implement several interfaces,
// null as receiver, exceptions, wide and floating-point arguments and results.
public class PrivateInterfaceCalls {
    interface Counts {
        int start();

        private int small() {
            return start() + 1;
        }

        private long wide(int times, long each) {
            if (times == 0) throw new IllegalStateException("no times for " + start());
            long sum = 0;
            for (int i = 0; i < times; i++) sum += each * small();
            return sum;
        }

        default long counted(int times, long each) {
            return wide(times, each) - small();
        }

        static int of(Counts counts) {
            return counts.small();
        }
    }

    interface Weighs {
        private double scaled(float by, double weight) {
            return weight * by + getClass().getSimpleName().length();
        }

        default double weigh(double weight) {
            return scaled(0.5f, weight) + scaled(2f, 1);
        }
    }

    interface Both extends Counts, Weighs {
        private String text(String before) {
            return before + start() + (this instanceof Record);
        }

        default String told() {
            return text("t").concat(text(""));
        }
    }

    record One(int start) implements Both {}

    record Two(int start, int more) implements Weighs, Counts, Both {}

    enum Three implements Both {
        A, B;

        public int start() {
            return ordinal();
        }
    }

    public static void main(String[] arguments) {
        Both[] all = {new One(4), new Two(7, 8), Three.A, Three.B, () -> 11};
        long sum = 0;
        double weight = 0;
        int characters = 0;
        for (int i = 0; i < 200_000; i++) {
            Both one = all[i % 7 % all.length];
            sum += one.counted(i % 3 + 1, i) + Counts.of(one);
            // Leaves out the lambda: weigh() uses the name of the class, and each VM names a lambda's class
            // differently.
            if (i % 7 % all.length != 4) weight += one.weigh(i & 15);
            if (i % 10 == 0) characters += one.told().length();
        }
        System.out.println(sum + " " + weight + " " + characters);
        for (Both one : all) {
            try {
                one.counted(0, 1);
            } catch (IllegalStateException expected) {
                System.out.println(expected.getMessage() + " in " + expected.getStackTrace()[0].getMethodName());
            }
        }
        for (int i = 0; i < 3; i++) {
            try {
                System.out.println(Counts.of(i == 1 ? null : all[i]));
            } catch (NullPointerException expected) {
                System.out.println("null in " + expected.getStackTrace()[0].getMethodName());
            }
        }
    }
}
