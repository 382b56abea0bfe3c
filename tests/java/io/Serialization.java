// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Object streams: graphs with cycles, transient, custom hooks, enums, records, Externalizable.
import java.io.*;
import java.util.*;

public class Serialization {
    static class N implements Serializable {
        private static final long serialVersionUID = 1;
        String name;
        N next;
        transient int skip = 9;
        List<Object> l = new ArrayList<>();

        N(String n) {
            name = n;
        }

        private void writeObject(ObjectOutputStream o) throws IOException {
            o.defaultWriteObject();
            o.writeInt(77);
        }

        private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException {
            i.defaultReadObject();
            skip = i.readInt();
        }
    }

    enum E {
        A,
        B
    }

    record R(int x, String s) implements Serializable {}

    static class NotS {}

    public static void main(String[] args) throws Exception {
        N a = new N("a"), b = new N("b");
        a.next = b;
        b.next = a;
        a.l.addAll(List.of(1, "two", E.B, new R(3, "r"), new int[] {1, 2}, Map.of("k", 2.5)));
        ByteArrayOutputStream o = new ByteArrayOutputStream();
        try (ObjectOutputStream oo = new ObjectOutputStream(o)) {
            oo.writeObject(a);
            oo.writeObject(new Date(0));
        }
        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(o.toByteArray()));
        N c = (N) in.readObject();
        System.out.println(
                c.name
                        + c.next.name
                        + (c.next.next == c)
                        + c.skip
                        + " "
                        + c.l.subList(0, 4)
                        + ((int[]) c.l.get(4))[1]
                        + c.l.get(5)
                        + (c.l.get(2) == E.B)
                        + " "
                        + ((Date) in.readObject()).getTime());
        try {
            new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(new NotS());
        } catch (NotSerializableException e) {
            System.out.println(e.getMessage());
        }
    }
}
