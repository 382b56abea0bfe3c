// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ArrayList, LinkedList, ArrayDeque, PriorityQueue, sublists, iterators, sorting, binary search,
// immutables.
import java.util.*;

public class Lists {
    public static void main(String[] args) {
        List<Integer> a = new ArrayList<>();
        for (int i = 0; i < 20; i++) a.add((i * 37) % 20);
        Collections.sort(a);
        System.out.println(
                a
                        + " "
                        + Collections.binarySearch(a, 13)
                        + " "
                        + a.subList(3, 7)
                        + " "
                        + a.indexOf(9));
        a.subList(2, 10).clear();
        a.remove(Integer.valueOf(15));
        a.remove(0);
        a.add(1, 99);
        System.out.println(a);
        Collections.reverse(a);
        Collections.swap(a, 0, 1);
        Collections.rotate(a, 3);
        System.out.println(a + " " + Collections.max(a) + " " + Collections.frequency(a, 99));
        Collections.shuffle(a, new Random(5));
        System.out.println(a);
        ListIterator<Integer> it = a.listIterator();
        while (it.hasNext()) {
            int v = it.next();
            if (v % 2 == 0) it.set(-v);
            else if (v > 50) {
                it.remove();
                it.add(1000);
            }
        }
        System.out.println(a);
        LinkedList<String> l = new LinkedList<>(List.of("a", "b", "c"));
        l.addFirst("z");
        l.removeLast();
        l.push("p");
        System.out.println(l + " " + l.peekLast() + " " + l.pop());
        ArrayDeque<Integer> d = new ArrayDeque<>();
        for (int i = 0; i < 40; i++) {
            d.addLast(i);
            if (i % 3 == 0) d.pollFirst();
        }
        System.out.println(d);
        PriorityQueue<String> q = new PriorityQueue<>(Comparator.comparing(String::length));
        Collections.addAll(q, "ccc", "a", "bb", "dddd");
        StringBuilder s = new StringBuilder();
        while (!q.isEmpty()) s.append(q.poll()).append(' ');
        System.out.println(s);
        try {
            a.get(100);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            List.of(1).add(2);
        } catch (UnsupportedOperationException e) {
            System.out.println("immutable");
        }
        try {
            for (Integer x : a) a.add(x);
        } catch (ConcurrentModificationException e) {
            System.out.println("cme");
        }
        try {
            List.of(1, null);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        Integer[] arr = {5, 2, 8, 1};
        Arrays.sort(arr, Collections.reverseOrder());
        System.out.println(
                Arrays.asList(arr)
                        + " "
                        + Arrays.equals(arr, new Integer[] {8, 5, 2, 1})
                        + " "
                        + Arrays.stream(arr).mapToInt(x -> x).sum());
        int[] p = new Random(42).ints(1000, 0, 10000).toArray();
        Arrays.sort(p);
        boolean ok = true;
        for (int i = 1; i < p.length; i++) ok &= p[i - 1] <= p[i];
        System.out.println(ok + " " + Arrays.hashCode(p));
        BitSet bs = new BitSet();
        bs.set(3, 9);
        bs.flip(5);
        System.out.println(
                bs
                        + " "
                        + bs.cardinality()
                        + " "
                        + new ArrayList<>(Collections.nCopies(3, "n"))
                        + Collections.unmodifiableList(a).size());
        Vector<Integer> v = new Vector<>(a);
        Stack<Integer> st = new Stack<>();
        st.push(1);
        st.push(2);
        System.out.println(v.elementAt(0) + " " + st.pop() + st.peek() + st.search(1));
        TreeSet<Integer> ts = new TreeSet<>(List.of(5, 1, 9, 3));
        System.out.println(
                ts.floor(4)
                        + " "
                        + ts.higher(5)
                        + " "
                        + ts.descendingSet()
                        + " "
                        + new LinkedHashSet<>(List.of(3, 1, 2))
                        + " "
                        + Collections.disjoint(ts, List.of(2))
                        + " "
                        + ts.retainAll(List.of(1, 3))
                        + ts);
    }
}
