// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jvm: -ea
// assert statements, switched on.
public class AssertionsOn {
    public static void main(String[] args) {
        try {
            assert args.length > 5 : "too few: " + args.length;
            System.out.println("off");
        } catch (AssertionError e) {
            System.out.println(e);
        }
        try {
            assert false;
        } catch (AssertionError e) {
            System.out.println(e.getMessage());
        }
        System.out.println(
                AssertionsOn.class.desiredAssertionStatus()
                        + " "
                        + String.class.desiredAssertionStatus());
    }
}
