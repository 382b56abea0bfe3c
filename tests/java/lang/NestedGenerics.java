// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Generics: bridges, bounded types, wildcards, recursion, heap pollution, signatures by reflection.
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

public class NestedGenerics<A extends Comparable<A> & java.io.Serializable> {
    static abstract class Node<T, N extends Node<T, N>> implements Comparable<N> {
        T value;
        abstract N self();
        public int compareTo(N o) {
            return value.hashCode() - o.value.hashCode();
        }
    }
    static class Leaf extends Node<String, Leaf> { Leaf(String s) { value = s; } Leaf self() { return this; } }
    Map<String, List<? extends Map<A, int[]>>> field;
    <X extends Throwable, Y> Y method(List<? super X> l, Function<? super A, ? extends Y>[] f) throws X { return null; }
    static <T extends Comparable<? super T>> T max(List<? extends T> l) {
        T best = null;
        for (T t : l)
            if (best == null || t.compareTo(best) > 0)
                best = t;
        return best;
    }
    @SafeVarargs static <T> List<T> listOf(T... t) { return new ArrayList<>(Arrays.asList(t)); }

    public static void main(String[] args) throws Exception {
        System.out.println(max(listOf(new Leaf("a"), new Leaf("c"), new Leaf("b"))).value);
        System.out.println(NestedGenerics.class.getDeclaredField("field").getGenericType());
        for (Method m : NestedGenerics.class.getDeclaredMethods())
            if (m.getName().equals("method"))
                System.out.println(m.toGenericString() + " " + m);
        System.out.println(Arrays.toString(NestedGenerics.class.getTypeParameters()) + " "
                + Arrays.toString(NestedGenerics.class.getTypeParameters()[0].getBounds()));
        Type t = Leaf.class.getGenericSuperclass();
        System.out.println(t + " " + Arrays.toString(((ParameterizedType) t).getActualTypeArguments()) + " "
                + Leaf.class.toGenericString() + " " + Node.class.toGenericString());
        System.out.println(Arrays.stream(Leaf.class.getDeclaredMethods())
                        .map(m -> m.getReturnType().getSimpleName() + " " + m.isBridge() + m.isSynthetic())
                        .sorted()
                        .toList());
        List<String> strings = listOf("a");
        @SuppressWarnings({"unchecked", "rawtypes"}) List<Integer> polluted = (List) strings;
        Object o = polluted.get(0);
        System.out.println(o);
        try {
            Integer i = polluted.get(0);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        try {
            @SuppressWarnings({"unchecked", "rawtypes"}) int c = ((Comparable) new Leaf("x")).compareTo("y");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }
}
