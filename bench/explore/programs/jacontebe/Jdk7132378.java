// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A task says that it is done before it stores its result, so a thread that asks may get no result.
public class Jdk7132378 {
    volatile boolean done;
    volatile String result;

    void set(String value) {
        done = true;
        result = value;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Jdk7132378 task = new Jdk7132378();
        Thread setter = new Thread(() -> task.set("result"));
        setter.start();
        if (task.done) assert task.result != null : "done without a result";
        setter.join();
    }
}
