// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stack traces near the limit MaxJavaStackTraceDepth: their lengths, and their first and last frames.
//
// jvm: -XX:MaxJavaStackTraceDepth=3000
public class DeepTraces {
    static class Failure extends RuntimeException {
        Failure(String text) { super(text); }
    }

    static void descend(int levels) {
        if (levels == 0) throw new Failure("bottom");
        descend(levels - 1);
    }

    public static void main(String[] args) {
        for (int levels : new int[] {0, 1, 1021, 1022, 1023, 1024, 1025, 2990, 2997, 2998, 2999, 3000, 3500}) {
            try {
                descend(levels);
            } catch (Failure e) {
                StackTraceElement[] trace = e.getStackTrace();
                int inDescend = 0;
                for (StackTraceElement element : trace) if (element.getMethodName().equals("descend")) inDescend++;
                System.out.println(levels + ": " + trace.length + " " + inDescend + " " + trace[0] + " "
                        + trace[trace.length - 1]);
            }
        }
    }
}
