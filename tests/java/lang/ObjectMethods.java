// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// equals, hashCode, toString, clone of Object itself and of arrays; getClass.
public class ObjectMethods implements Cloneable {
    int x = 3;
    int[] shared = {1};

    public static void main(String[] args) throws Exception {
        ObjectMethods o = new ObjectMethods();
        ObjectMethods c = (ObjectMethods) o.clone();
        System.out.println(
                (c != o)
                        + " "
                        + c.x
                        + " "
                        + (c.shared == o.shared)
                        + " "
                        + o.equals(c)
                        + " "
                        + (o.hashCode() == System.identityHashCode(o))
                        + " "
                        + o.toString()
                                .equals("ObjectMethods@" + Integer.toHexString(o.hashCode())));
        Object[] objects = new Object[200];
        java.util.Set<Integer> hashes = new java.util.HashSet<>();
        for (int i = 0; i < 200; i++) {
            objects[i] = new Object();
            hashes.add(objects[i].hashCode());
        }
        System.out.println(hashes.size() > 195);
        try {
            new Object() {
                Object go() throws CloneNotSupportedException {
                    return clone();
                }
            }.go();
        } catch (CloneNotSupportedException e) {
            System.out.println("not cloneable");
        }
        try {
            new Plain().go();
        } catch (CloneNotSupportedException e) {
            System.out.println(e.getMessage());
        }
        double[] d = {1, 2};
        double[] e = d.clone();
        e[0] = 9;
        System.out.println(d[0] + " " + e[0]);
    }

    static class Plain {
        Object go() throws CloneNotSupportedException {
            return clone();
        }
    }
}
