// Peterson's lock for two threads, without volatile. In each order of the accesses one of the two threads stays
// outside, and yet the program fails: a processor may read the other thread's flag before its own thread's write has
// reached memory.
//
//   keyhole --explore examples/Peterson.java                       no schedule fails
//   keyhole --explore --memory=tso examples/Peterson.java          both threads are inside
//   keyhole --explore --memory=tso examples/Peterson.java fixed    no schedule fails: the fields are volatile
public class Peterson {
    interface Lock {
        boolean tryEnter(int self);

        void leave(int self);
    }

    static class Plain implements Lock {
        boolean first, second;
        int turn;

        public boolean tryEnter(int self) {
            if (self == 0) first = true;
            else second = true;
            turn = 1 - self;
            return !(self == 0 ? second : first) || turn == self;
        }

        public void leave(int self) {
            if (self == 0) first = false;
            else second = false;
        }
    }

    static class Fixed implements Lock {
        volatile boolean first, second;
        volatile int turn;

        public boolean tryEnter(int self) {
            if (self == 0) first = true;
            else second = true;
            turn = 1 - self;
            return !(self == 0 ? second : first) || turn == self;
        }

        public void leave(int self) {
            if (self == 0) first = false;
            else second = false;
        }
    }

    static int balance = 0;

    public static void main(String[] args) throws InterruptedException {
        Lock lock = args.length == 0 ? new Plain() : new Fixed();
        boolean[] paid = new boolean[2];
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            int self = i;
            threads[i] = new Thread(() -> {
                if (!lock.tryEnter(self)) return;  // the other one is inside
                balance += 10;
                paid[self] = true;
                lock.leave(self);
            });
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        int expected = (paid[0] ? 10 : 0) + (paid[1] ? 10 : 0);
        if (balance != expected) throw new AssertionError("paid " + expected + ", and the balance is " + balance);
    }
}
