// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Causes many short young collections with almost no work, so that the cost of starting and awaiting the workers
// becomes visible.
//
//     java -Xlog:gc YoungCollections [MEBIBYTES]
//
// Allocates small arrays, keeps a few hundred reachable at a time, and prints a checksum. bench/gangs reads the
// pauses from the log.
public class YoungCollections {
    public static void main(String[] arguments) {
        long bytes = (arguments.length > 0 ? Long.parseLong(arguments[0]) : 2048) << 20;
        int[][] kept = new int[256][];
        long checksum = 0;
        int size = 24;   // array length; the array has 112 bytes with a header of 16
        for (long i = 0; i < bytes / 112; i++) {
            int[] fresh = new int[size];
            fresh[(int) (i % size)] = (int) i;
            int slot = (int) (i * 31 & 255);
            if (kept[slot] != null) checksum += kept[slot].length;
            kept[slot] = fresh;
        }
        System.out.println("checksum " + checksum);
    }
}
