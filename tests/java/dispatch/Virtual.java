// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Overriding, super calls, private methods of the same name, package-private and covariant returns.
public class Virtual {
    static class A {
        String name() {
            return "A";
        }

        private String secret() {
            return "secret A";
        }

        String callSecret() {
            return secret();
        }

        Object self() {
            return this;
        }

        String overload(Object o) {
            return "object";
        }

        String overload(String s) {
            return "string";
        }
    }

    static class B extends A {
        @Override
        String name() {
            return "B" + super.name();
        }

        private String secret() {
            return "secret B";
        }

        @Override
        B self() {
            return this;
        }
    }

    static class C extends B {
        @Override
        String name() {
            return "C" + super.name();
        }

        String secret() {
            return "secret C";
        }

        @Override
        public String toString() {
            return "c!";
        }
    }

    public static void main(String[] args) {
        for (A x : new A[] {new A(), new B(), new C()}) {
            System.out.println(
                    x.name()
                            + " "
                            + x.callSecret()
                            + " "
                            + (x.self() == x)
                            + " "
                            + x.overload("s")
                            + " "
                            + x.overload((Object) "s"));
        }
        A a = new C();
        System.out.println(a + " " + a.equals(a) + " " + new C().secret());
    }
}
