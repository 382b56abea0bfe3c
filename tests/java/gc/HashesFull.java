// jvm: -Xmx24m
// timeout: 150
// Fills the heap to the brim with objects that have identity hashes. When an object would have to grow to keep its
// hash, but there is no room for that, the object is not moved, and nothing is lost.
import java.util.Arrays;

public class HashesFull {
    static final class Link {   // a Link is as small as an object with two fields can be
        final Link next;
        final int number;
        Link(Link next, int number) { this.next = next; this.number = number; }
    }

    static int[] hashes = new int[400_000], kept = new int[400_000];

    static Link fill() {
        Link head = null;
        int count = 0;
        try {
            while (count < hashes.length) {
                Link link = new Link(head, count);
                hashes[count] = System.identityHashCode(link);
                head = link;
                count++;
            }
            // Fills the rest of the heap with arrays, until not even the smallest array fits.
            Object[] rest = null;
            for (int length = 100_000; length >= 1; ) {
                try {
                    Object[] more = new Object[length];
                    more[0] = rest;
                    if (System.identityHashCode(more) == 0) throw new AssertionError("no hash");
                    rest = more;
                } catch (OutOfMemoryError full) {
                    length /= 2;
                }
            }
            check(head, 1);
        } catch (OutOfMemoryError full) {
            check(head, 1);
        }
        return head;
    }

    static void check(Link link, int step) {
        for (int expected = link.number; link != null; link = link.next, expected -= step) {
            if (link.number != expected)
                throw new AssertionError("link " + link.number + " in the place of " + expected);
            if (System.identityHashCode(link) != hashes[expected]) throw new AssertionError("hash of " + expected);
        }
    }

    public static void main(String[] args) {
        Link head = fill();
        System.gc();
        check(head, 1);
        // Copies every fourth link to a new list, and then drops the old list. The old links die, so the collector has
        // room to move the copies.
        Link thinned = null;
        int count = 0;
        for (Link link = head; link != null; link = link.next) {
            if (link.number % 4 != 0) continue;
            thinned = new Link(thinned, link.number);
            kept[link.number] = System.identityHashCode(thinned);
            if (++count == 20_000) break;
        }
        head = null;
        for (int round = 0; round < 3; round++) {
            System.gc();
            for (Link link = thinned; link != null; link = link.next) {
                if (System.identityHashCode(link) != kept[link.number])
                    throw new AssertionError("hash of thinned " + link.number);
            }
        }
        Arrays.sort(hashes);
        int equal = 0;
        for (int i = 1; i < hashes.length; i++) {
            if (hashes[i] != 0 && hashes[i] == hashes[i - 1]) equal++;
        }
        if (equal > hashes.length / 1000) throw new AssertionError(equal + " hashes are not the first");
        System.out.println("full, and nothing lost");
    }
}
