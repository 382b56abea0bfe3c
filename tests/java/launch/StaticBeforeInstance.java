// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A static main method without parameters, in a class whose superclass has an instance main method. Its result is
// ignored.
// since: 25
public class StaticBeforeInstance extends WithInstanceMain {
    static {
        IO.println("initialised");
    }

    StaticBeforeInstance() {
        IO.println("never made");
    }

    static void main() {
        IO.println("static " + Thread.currentThread().getStackTrace()[1].getMethodName());
        throw new IllegalStateException("leaves main");
    }
}

class WithInstanceMain {
    void run() {
        IO.println("not called");
    }
}
