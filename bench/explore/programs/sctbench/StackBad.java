// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The popping thread pops again and again after the first push, whether or not there is something on the stack.
public class StackBad {
    static final int SIZE = 10;

    final int[] stack = new int[SIZE];
    int top;
    boolean pushed;

    void push() {
        for (int element = 0; element < SIZE; element++) {
            synchronized (this) {
                stack[top++] = element;
                pushed = true;
            }
        }
    }

    void pop() {
        for (int turn = 0; turn < SIZE; turn++) {
            synchronized (this) {
                if (pushed) {
                    assert top > 0 : "the stack is empty";
                    top--;
                }
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        StackBad program = new StackBad();
        Thread pusher = new Thread(program::push), popper = new Thread(program::pop);
        pusher.start();
        popper.start();
        pusher.join();
        popper.join();
    }
}
