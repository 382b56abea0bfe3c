// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A main method inherited from a superclass.
public class InheritedMain extends Parent {}

class Parent {
    public static void main(String... args) {
        System.out.println("inherited main");
    }
}
