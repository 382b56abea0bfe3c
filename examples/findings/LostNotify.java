// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// The producer notifies before the consumer waits, and nothing remembers it.
// Run: ./keyhole --look examples/findings/LostNotify.java

public class LostNotify {
    static class Mailbox {
    }

    static final Mailbox mailbox = new Mailbox();

    static void consume() {
        try {
            Thread.sleep(100);   // it comes too late
            synchronized (mailbox) {
                mailbox.wait();
            }
        } catch (InterruptedException stop) {
            return;
        }
        System.out.println("consumed");
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread consumer = new Thread(LostNotify::consume, "consumer");
        consumer.setDaemon(true);   // so that the VM can end
        consumer.start();
        Thread producer = new Thread(() -> {
            synchronized (mailbox) {
                mailbox.notify();
            }
        }, "producer");
        producer.start();
        consumer.join(500);
        System.out.println("consumer is " + consumer.getState());
    }
}
