// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Intersection types: marker interfaces and Serializable lambdas (altMetafactory).
import java.io.*;
import java.util.function.*;

public class SerializableAndMarkers {
    interface Marker {}

    interface SerFn extends Function<String, Integer>, Serializable {}

    public static void main(String[] args) throws Exception {
        Runnable r = (Runnable & Marker) () -> System.out.println("marked");
        r.run();
        System.out.println(r instanceof Marker);
        int base = 10;
        SerFn f = s -> s.length() + base;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ObjectOutputStream oos = new ObjectOutputStream(out)) {
            oos.writeObject(f);
        }
        SerFn g =
                (SerFn)
                        new ObjectInputStream(new ByteArrayInputStream(out.toByteArray()))
                                .readObject();
        System.out.println(g.apply("four"));
        Comparator2<String> c = (a, b) -> a.length() - b.length();
        System.out.println(c.reversed().compare("a", "bb"));
    }

    interface Comparator2<T> extends java.util.Comparator<T> {}
}
