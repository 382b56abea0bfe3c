// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the allocation rate of a VM, and the latency that allocation adds to requests. It has the same load as
// allocbench.
//
//   AllocationLoad rate THREADS BYTES MILLISECONDS     byte arrays that occupy about this many bytes
//   AllocationLoad requests THREADS COUNT              requests of 200 small objects; all threads together serve COUNT
//   AllocationLoad live THREADS MILLISECONDS           nodes of three objects, one of 32 kept a while: some 6 MB live
//                                                      at any time
//
// Output: one line of JSON. Latencies are in microseconds; "metered" is measured from when a request would have come at
// a steady rate (DaCapo's full smoothing), "simple" from when it was begun.

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

public class AllocationLoad {
    static final class Entry { Entry next; int key; long value; }

    static volatile boolean stop;
    static final int KEPT = 64;

    static final class Rate extends Thread {
        final int length;
        long objects;
        byte[][] kept = new byte[KEPT][];
        Rate(int length) { this.length = length; }
        @Override public void run() {
            long count = 0;
            int size = length;
            byte[][] ring = kept;
            while (!stop) {
                for (int i = 0; i < 64; i++) {
                    byte[] made = new byte[size];
                    if (i == 0) ring[(int) (count >>> 6) & (KEPT - 1)] = made;
                }
                count += 64;
            }
            objects = count;
        }
    }

    static final class Server extends Thread {
        final AtomicInteger next;
        final int requests;
        final long[] starts, ends;
        long checksum;
        Server(AtomicInteger next, int requests, long[] starts, long[] ends) {
            this.next = next;
            this.requests = requests;
            this.starts = starts;
            this.ends = ends;
        }
        @Override public void run() {
            Entry[] table = new Entry[64];
            for (int request; (request = next.getAndIncrement()) < requests; ) {
                starts[request] = System.nanoTime();
                for (int i = 0; i < 200; i++) {
                    Entry entry = new Entry();
                    entry.key = request + i;
                    entry.value = entry.key * 31L;
                    int slot = (entry.key * 0x9E3779B9) >>> 26;
                    entry.next = i < 64 ? null : table[slot];   // the chain dies at the end of its request
                    table[slot] = entry;
                }
                for (Entry head : table) for (Entry at = head; at != null; at = at.next) checksum += at.value;
                ends[request] = System.nanoTime();
            }
        }
    }

    static final class Node {
        final Entry entry = new Entry();
        final byte[] text = new byte[24];
    }
    static final int NODE_BYTES = 96;      // a Node, its Entry and its array, with headers of 12 and 16 bytes
    static final int LIVE_NODES = 65_536;  // number of live nodes of all threads together

    static final class Keeper extends Thread {
        final Node[] kept;
        long nodes;
        Keeper(int threads) { kept = new Node[LIVE_NODES / threads]; }
        @Override public void run() {
            Node[] batch = new Node[32];
            long count = 0;
            int oldest = 0;
            while (!stop) {
                for (int i = 0; i < batch.length; i++) {
                    Node made = new Node();
                    made.entry.key = i;
                    made.text[i & 7] = (byte) i;
                    batch[i] = made;
                }
                kept[oldest] = batch[(int) (count >>> 5) & 31];
                oldest = oldest + 1 == kept.length ? 0 : oldest + 1;
                count += batch.length;
            }
            nodes = count;
        }
    }

    static void live(int threads, int milliseconds) throws Exception {
        long made = 0;
        for (int warm = 0; warm < 2; warm++) {
            stop = false;
            Keeper[] all = new Keeper[threads];
            for (int i = 0; i < threads; i++) all[i] = new Keeper(threads);
            long start = System.nanoTime();
            for (Keeper each : all) each.start();
            Thread.sleep(milliseconds);
            stop = true;
            long nodes = 0;
            for (Keeper each : all) {
                each.join();
                nodes += each.nodes;
            }
            double seconds = (System.nanoTime() - start) * 1e-9;
            made += nodes * NODE_BYTES;
            if (warm == 1)
                System.out.println("{\"threads\": " + threads + ", \"mb_per_s\": "
                        + nodes * (double) NODE_BYTES / seconds / 1e6 + ", \"mb_made\": " + made / 1e6 + "}");
        }
    }

    static void rate(int threads, int bytes, int milliseconds) throws Exception {
        long made = 0;
        // the first round only warms up: code is compiled, and pages are touched
        for (int warm = 0; warm < 2; warm++) {
            stop = false;
            Rate[] all = new Rate[threads];
            for (int i = 0; i < threads; i++) all[i] = new Rate(Math.max(bytes - 16, 0));
            long start = System.nanoTime();
            for (Rate each : all) each.start();
            Thread.sleep(milliseconds);
            stop = true;
            long objects = 0;
            for (Rate each : all) {
                each.join();
                objects += each.objects;
            }
            double seconds = (System.nanoTime() - start) * 1e-9;
            made += objects * bytes;
            if (warm == 1)
                System.out.println("{\"threads\": " + threads + ", \"bytes\": " + bytes + ", \"mb_per_s\": "
                        + objects * (double) bytes / seconds / 1e6 + ", \"mb_made\": " + made / 1e6 + "}");
        }
    }

    static String percentiles(long[] nanoseconds) {
        Arrays.sort(nanoseconds);
        StringBuilder out = new StringBuilder("{");
        String[] names = {"p50", "p90", "p99", "p99.9", "p99.99", "max"};
        double[] parts = {0.5, 0.9, 0.99, 0.999, 0.9999, 1.0};
        for (int i = 0; i < parts.length; i++) {
            int index = Math.min((int) (parts[i] * nanoseconds.length), nanoseconds.length - 1);
            out.append(i == 0 ? "" : ", ")
                    .append('"')
                    .append(names[i])
                    .append("\": ")
                    .append(nanoseconds[index] / 1000.0);
        }
        return out.append('}').toString();
    }

    static void requests(int threads, int count) throws Exception {
        for (int warm = 0; warm < 2; warm++) {
            int requests = warm == 0 ? count / 4 : count;
            long[] starts = new long[requests], ends = new long[requests];
            AtomicInteger next = new AtomicInteger();
            Server[] all = new Server[threads];
            for (int i = 0; i < threads; i++) all[i] = new Server(next, requests, starts, ends);
            for (Server each : all) each.start();
            for (Server each : all) each.join();
            if (warm == 0) continue;
            long first = Long.MAX_VALUE, last = 0;
            for (long start : starts) first = Math.min(first, start);
            for (long end : ends) last = Math.max(last, end);
            long[] simple = new long[requests], metered = new long[requests];
            double interval = (double) (last - first) / requests;
            // requests are numbered in the order of their starts, apart from short races
            for (int i = 0; i < requests; i++) {
                simple[i] = ends[i] - starts[i];
                metered[i] = ends[i] - Math.min(starts[i], first + (long) (interval * i));
            }
            System.out.println("{\"threads\": " + threads
                    + ", \"requests_per_s\": " + requests / ((last - first) * 1e-9)
                    + ", \"simple\": " + percentiles(simple) + ", \"metered\": " + percentiles(metered) + "}");
        }
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("rate"))
            rate(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
        else if (arguments[0].equals("live")) live(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
        else requests(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
    }
}
