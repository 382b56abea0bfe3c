public class Initialisation {
    static class Parent {
        static { System.out.println("Parent"); }
        static final int CONSTANT = 7;
        static int variable = 8;
    }

    static class Child extends Parent {
        static { System.out.println("Child"); }
    }

    public static void main(String[] args) {
        System.out.println(Child.CONSTANT);
        System.out.println(new Child[1].length);
        System.out.println(Child.variable);
        new Child();
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
