// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What does a collection cost in which there is next to nothing to do? Many short ones, so that starting and awaiting
// the workers shows.
//
//     java -Xlog:gc YoungCollections [MEBIBYTES]
//
// Allocates small arrays of which a few hundred stay reachable at a time, and prints a checksum. bench/gangs reads the
// pauses from the log.
public class YoungCollections {
    public static void main(String[] arguments) {
        long bytes = (arguments.length > 0 ? Long.parseLong(arguments[0]) : 2048) << 20;
        int[][] kept = new int[256][];
        long checksum = 0;
        int size = 24;   // 112 bytes with a header of 16
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
