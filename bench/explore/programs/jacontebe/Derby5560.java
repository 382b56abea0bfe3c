// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A logical connection tells its pooled connection that it is closed, and the pooled connection closes the logical one:
// each locks itself first.
public class Derby5560 {
    static class Pooled {
        Logical logical = new Logical(this);
        int events;

        synchronized void recycle() {
            events++;
        }

        synchronized void close() {
            logical.closeWithoutEvent();
        }
    }

    static class Logical {
        final Pooled pooled;
        boolean closed;

        Logical(Pooled pooled) {
            this.pooled = pooled;
        }

        synchronized void close() {
            if (closed) return;
            closed = true;
            pooled.recycle();
        }

        synchronized void closeWithoutEvent() {
            closed = true;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Pooled pooled = new Pooled();
        Thread user = new Thread(pooled.logical::close), owner = new Thread(pooled::close);
        user.start();
        owner.start();
        user.join();
        owner.join();
    }
}
