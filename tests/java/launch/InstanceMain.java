// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The choice of the main method: one with parameters before one without, an inherited one, one that is not public. The
// constructor makes its object.
// since: 25
// args: one two
public class InstanceMain extends InstanceMainBase {
    final int made;

    InstanceMain() {
        made = 7;
        IO.println("constructed");
    }

    @Override
    String name() {
        return "derived " + made;
    }

    void main() {
        IO.println("without parameters: not chosen");
    }
}

class InstanceMainBase {
    String name() {
        return "base";
    }

    protected void main(String[] arguments) {
        IO.println(name() + " " + String.join("+", arguments));
        IO.println(Thread.currentThread().getName());
    }
}
