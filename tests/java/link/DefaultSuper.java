// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Super calls into interfaces, diamonds, the most specific default, private and static interface
// methods.
public class DefaultSuper {
    interface Top {
        default String name() {
            return "Top";
        }

        static String stat() {
            return "static Top";
        }
    }

    interface Left extends Top {
        default String name() {
            return "Left(" + Top.super.name() + ")";
        }
    }

    interface Right extends Top {}

    interface Both extends Left, Right {}

    static class Diamond implements Both {}

    static class Choice implements Left, Right {
        public String name() {
            return "Choice(" + Left.super.name() + ")";
        }
    }

    static class Parent {
        public String name() {
            return "Parent";
        }
    }

    static class Wins extends Parent implements Left {}

    abstract static class Again implements Left {
        public abstract String name();
    }

    static class Concrete extends Again {
        public String name() {
            return "Concrete";
        }
    }

    interface Generic<T> {
        default String take(T t) {
            return "T " + t;
        }
    }

    static class OfString implements Generic<String> {
        public String take(String s) {
            return "S " + s;
        }
    }

    interface Private {
        private int helper(int n) {
            return n <= 0 ? 0 : n + helper(n - 1);
        }

        default int go(int n) {
            return helper(n);
        }

        private static int s() {
            return 5;
        }

        default int t() {
            return s();
        }
    }

    public static void main(String[] args) {
        System.out.println(new Diamond().name());
        System.out.println(new Choice().name());
        System.out.println(new Wins().name());
        System.out.println(new Concrete().name());
        System.out.println(Top.stat());
        Generic<String> g = new OfString();
        System.out.println(g.take("x"));
        Private p = new Private() {};
        System.out.println(p.go(10) + " " + p.t());
        Top[] all = {new Diamond(), new Choice(), new Wins(), new Concrete()};
        for (int i = 0; i < 3; i++) for (Top t : all) System.out.print(t.name().length() + " ");
        System.out.println();
    }
}
