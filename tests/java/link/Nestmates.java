// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Private access between the classes of a nest, by bytecode, reflection and names of hosts.
import java.util.Arrays;

public class Nestmates {
    private int secret = 1;
    private static String hush() { return "hush"; }
    class Inner {
        private int own = secret + 1;
        private Inner() {}
        class Deeper { private int sum() { return own + secret; } }
    }
    private interface Face { private String p() { return "private in interface"; } default String q() { return p(); } }
    static class Stranger { private Stranger() {} private int x = 9; }

    public static void main(String[] args) throws Exception {
        Nestmates n = new Nestmates();
        Inner inner = n.new Inner();
        Inner.Deeper deeper = inner.new Deeper();
        System.out.println(inner.own + " " + deeper.sum() + " " + new Stranger().x);
        System.out.println(new Face() {}.q() + " " + ((Face) new Face() {}).p());
        System.out.println(
                Inner.Deeper.class.getNestHost() + " " + int.class.getNestHost() + " " + String[].class.getNestHost());
        System.out.println(Inner.class.isNestmateOf(Stranger.class) + " " + Inner.class.isNestmateOf(String.class));
        String[] members =
                Arrays.stream(Stranger.class.getNestMembers()).map(Class::getName).sorted().toArray(String[] ::new);
        System.out.println(Arrays.toString(members));
        Stranger s = Stranger.class.getDeclaredConstructor().newInstance();
        System.out.println(Stranger.class.getDeclaredField("x").get(s) + " "
                + Nestmates.class.getDeclaredMethod("hush").invoke(null));
        System.out.println(Arrays.stream(Stranger.class.getDeclaredConstructors()).map(Object::toString).toList());
        try {
            Thread.class.getDeclaredMethod("exit").invoke(Thread.currentThread());
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage());
        }
        Runnable lambda = () -> System.out.println(n.secret + hush());
        lambda.run();
    }
}
