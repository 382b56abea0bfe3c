// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Labels: break and continue out of nested loops, blocks, switches and finally clauses.
public class LabelledLoops {
    static StringBuilder log = new StringBuilder();
    static int nested() {
        int n = 0;
        outer:
        for (int i = 0; i < 5; i++) {
            middle:
            for (int j = 0; ; j++) {
                switch (j) {
                    case 1: continue;
                    case 3: break middle;
                    case 2: if (i == 3) continue outer; break;
                    default: if (i == 4) break outer;
                }
                n = n * 3 + i + j;
            }
            n++;
        }
        return n;
    }
    @SuppressWarnings("finally")
    static int tangled(int k) {
        loop:
        while (true) {
            try {
                try {
                    if (k == 0) return 1;
                    if (k == 1) throw new RuntimeException("one");
                    if (k == 2) break loop;
                    if (k == 3) { k = 0; continue loop; }
                    block: { if (k == 4) break block; log.append("not4 "); }
                    k = 2;
                } finally {
                    log.append("f").append(k).append(' ');
                    if (k == 5) return 55;
                }
            } catch (RuntimeException e) {
                log.append(e.getMessage()).append(' ');
                k = 0;
            } finally {
                log.append("g ");
                if (k == 6) break loop;
            }
        }
        return -1;
    }
    @SuppressWarnings("finally")
    static int overriding() {
        try { throw new IllegalStateException("lost"); } finally { return 7; }
    }
    static int saved() {
        int x = 1;
        try { return x; } finally { x = 2; }
    }
    public static void main(String[] args) {
        System.out.println(nested());
        for (int k = 0; k < 7; k++) log.append("= ").append(tangled(k)).append('\n');
        System.out.print(log);
        System.out.println(overriding() + " " + saved());
        label: if (args.length == 0) { if (log.length() > 3) break label; System.out.println("no"); }
        do { if (log.length() > 0) break; } while (true);
    }
}
