// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Serialization: graphs, hooks, externalizable, versions, missing constructors, records, enums, singletons.
import java.io.*;
import java.util.ArrayList;
import java.util.List;

public class Serial {
    static class Node implements Serializable {
        private static final long serialVersionUID = 1;
        Node next;
        String name;
        transient int cached = 5;
        Node(String n) {
            name = n;
        }
    }
    static class Hooked implements Serializable {
        int x = 1;
        private void writeObject(ObjectOutputStream o) throws IOException {
            o.defaultWriteObject();
            o.writeInt(x * 2);
        }
        private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException {
            i.defaultReadObject();
            x += i.readInt();
        }
    }
    public static class Ext implements Externalizable {
        String s;
        public Ext() {
            s = "made";
        }
        public void writeExternal(ObjectOutput o) throws IOException {
            o.writeUTF("ext");
        }
        public void readExternal(ObjectInput i) throws IOException {
            s += i.readUTF();
        }
    }
    static class Single implements Serializable {
        static final Single ONE = new Single();
        private Object readResolve() {
            return ONE;
        }
    }
    static class Plain { int p = 7; Plain() { System.out.println("Plain()"); } }
    static class Sub extends Plain implements Serializable { int q = 8; }
    static class NoDefault { NoDefault(int x) {} }
    static class Bad extends NoDefault implements Serializable { Bad() { super(1); } }
    enum E { A, B }
    record R(int x, List<String> l) implements Serializable { R { if (x < 0) throw new IllegalArgumentException(); } }
    static byte[] write(Object o) throws IOException {
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(b)) {
            out.writeObject(o);
        }
        return b.toByteArray();
    }
    @SuppressWarnings("unchecked")
    static <T> T copy(T o) throws Exception {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(write(o)))) {
            return (T) in.readObject();
        }
    }
    public static void main(String[] args) throws Exception {
        Node a = new Node("a"), b = new Node("b");
        a.next = b;
        b.next = a;
        Node c = copy(a);
        System.out.println(c.name + c.next.name + (c.next.next == c) + c.cached + " " + write(a).length);
        System.out.println(copy(new Hooked()).x + " " + copy(new Ext()).s + " " + (copy(Single.ONE) == Single.ONE) + " "
                + (copy(E.B) == E.B) + " " + copy(new R(1, new ArrayList<>(List.of("x")))) + " "
                + copy(new int[][] {{1}, {2}})[1][0] + " " + copy(String.class));
        Sub s = new Sub();
        s.p = 70;
        s.q = 80;
        Sub t = copy(s);
        System.out.println(t.p + " " + t.q);
        for (Object o : new Object[] {new Bad(), new Object(), new Thread(), List.of(new Object())}) {
            try {
                copy(o);
            } catch (ObjectStreamException e) {
                System.out.println(e);
            }
        }
        System.out.println(ObjectStreamClass.lookup(Hooked.class).getSerialVersionUID() + " "
                + ObjectStreamClass.lookup(E.class).getSerialVersionUID() + " " + ObjectStreamClass.lookup(Object.class)
                + " " + ObjectStreamClass.lookup(Node.class));
        Runnable r = (Runnable & Serializable) () -> System.out.println("lambda came back");
        copy(r).run();
        byte[] bytes = write(a);
        bytes[0] = 1;
        try {
            new ObjectInputStream(new ByteArrayInputStream(bytes));
        } catch (StreamCorruptedException e) {
            System.out.println(e.getMessage());
        }
        ObjectInputStream filtered = new ObjectInputStream(new ByteArrayInputStream(write(a)));
        filtered.setObjectInputFilter(ObjectInputFilter.Config.createFilter("!Serial$Node"));
        try {
            filtered.readObject();
        } catch (InvalidClassException e) {
            System.out.println(e.getMessage());
        }
    }
}
