// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// assert statements are off by default.
public class AssertionsOff {
    public static void main(String[] args) {
        assert false : "must not happen";
        System.out.println("off " + AssertionsOff.class.desiredAssertionStatus());
    }
}
