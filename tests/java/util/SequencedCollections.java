// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sequenced collections: first and last elements of lists, deques and sets, reversed views that write through to them,
// and the operations that immutable collections refuse.
// since: 21
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SequencedCollection;
import java.util.TreeSet;

public class SequencedCollections {
    static void show(SequencedCollection<String> collection) {
        System.out.println(collection.getClass().getSimpleName() + " " + collection.getFirst() + collection.getLast()
                           + " " + collection.reversed());
    }

    static void refused(String what, Runnable action) {
        try {
            action.run();
            System.out.println(what + " accepted");
        } catch (UnsupportedOperationException | NoSuchElementException e) {
            System.out.println(what + " " + e.getClass().getSimpleName());
        }
    }

    public static void main(String[] arguments) {
        List<String> three = List.of("a", "b", "c");
        show(new ArrayList<>(three));
        show(new LinkedList<>(three));
        show(new ArrayDeque<>(three));
        show(new LinkedHashSet<>(three));
        show(new TreeSet<>(three));
        show(three.reversed().reversed());

        List<String> list = new ArrayList<>(three);
        List<String> back = list.reversed();
        back.add("z");
        back.addFirst("y");
        back.removeLast();
        back.set(0, "Y");
        System.out.println(list + " " + back + " " + back.subList(1, 3) + " " + back.indexOf("b"));
        back.sort(null);
        System.out.println(list + " " + back.equals(list) + " " + back.hashCode());
        LinkedHashSet<String> set = new LinkedHashSet<>(three);
        set.addFirst("c");
        set.addLast("a");
        set.reversed().addFirst("new");
        System.out.println(set + " " + set.removeFirst() + " " + set.reversed().stream().toList());
        ArrayDeque<Integer> deque = new ArrayDeque<>(List.of(1, 2, 3));
        deque.reversed().removeIf(i -> i == 1);
        System.out.println(deque + " " + deque.reversed().peekFirst());

        refused("empty", () -> new ArrayList<String>().getFirst());
        refused("empty set", () -> new LinkedHashSet<String>().removeLast());
        refused("immutable", () -> three.addFirst("x"));
        refused("tree", () -> new TreeSet<>(three).addFirst("x"));
        refused("reversed of immutable", () -> three.reversed().add("x"));
        System.out.println(Collections.unmodifiableSequencedCollection(deque) + " "
                           + Collections.unmodifiableSequencedSet(set).reversed());
        System.out.println(Collections.newSequencedSetFromMap(new java.util.LinkedHashMap<String, Boolean>()).add("q"));
    }
}
