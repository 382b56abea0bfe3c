// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Correct idioms: each case hands data from a thread to another one, in an order that Java promises. The detector must
// report nothing.

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.stream.IntStream;

public class Ordered {
    interface Body {
        void run() throws Exception;
    }

    static ThreadFactory factory;

    static Thread start(Body body) {
        Thread thread = factory.newThread(() -> {
            try {
                body.run();
            } catch (Exception failure) {
                throw new AssertionError(failure);
            }
        });
        thread.start();
        return thread;
    }
    static void both(Body one, Body other) throws Exception {
        Thread first = start(one), second = start(other);
        first.join();
        second.join();
    }

    static class Data {
        int value;
        int[] elements = new int[3];
        List<String> list = new ArrayList<>();

        void write() { value++; elements[1]++; list.add("x"); }
        int read() { return value + elements[1] + list.size(); }
    }

    // --- the idioms --------------------------------------------------------------------------------------------------

    static class Flag {
        final Data data = new Data();
        volatile boolean ready;
    }
    static void volatileFlag() throws Exception {
        Flag flag = new Flag();
        both(() -> { flag.data.write(); flag.ready = true; },
             () -> { while (!flag.ready) Thread.onSpinWait(); flag.data.read(); });
    }

    static void startAndJoin() throws Exception {
        Data data = new Data();
        data.write();
        Thread thread = start(data::write);
        thread.join();
        data.read();
    }
    static void isAlive() throws Exception {
        Data data = new Data();
        Thread thread = start(data::write);
        while (thread.isAlive()) Thread.onSpinWait();
        data.read();
        Thread other = start(data::write);
        while (other.getState() != Thread.State.TERMINATED) Thread.onSpinWait();
        data.read();
    }

    static void monitors() throws Exception {
        Data data = new Data();
        Body body = () -> { for (int i = 0; i < 20; i++) synchronized (data) { data.write(); } };
        both(body, body);
    }
    static class Mailbox {
        Data mail;

        synchronized void put(Data data) { mail = data; notifyAll(); }
        synchronized Data take() throws InterruptedException { while (mail == null) wait(); return mail; }
    }
    static void waitAndNotify() throws Exception {
        Mailbox box = new Mailbox();
        both(() -> box.take().read(), () -> { Data data = new Data(); data.write(); box.put(data); });
    }
    static void timedWait() throws Exception {
        Mailbox box = new Mailbox();
        both(() -> { synchronized (box) { while (box.mail == null) box.wait(1); box.mail.read(); } },
             () -> { Data data = new Data(); data.write(); Thread.sleep(5); box.put(data); });
    }
    static void hashedMonitor() throws Exception {
        Data data = new Data();
        data.hashCode();
        Body body = () -> { for (int i = 0; i < 20; i++) synchronized (data) { data.write(); Thread.yield(); } };
        both(body, body);
    }

    static class Lazy {
        static volatile Lazy instance;
        int value = 42;
        static Lazy get() {
            Lazy seen = instance;
            if (seen == null) {
                synchronized (Lazy.class) {
                    if ((seen = instance) == null) instance = seen = new Lazy();
                }
            }
            return seen;
        }
    }
    static void doubleChecked() throws Exception {
        both(() -> Lazy.get().value++, () -> { });
        Body body = () -> { if (Lazy.get().value != 43) throw new AssertionError(); };
        both(body, body);
    }
    static class Holder {
        static final Data DATA = new Data();
        static int[] table = {1, 2, 3};
        static { DATA.write(); table[1] = 7; }
        static int sum() { return table[0] + table[1]; }
    }
    static void classInitialization() throws Exception {
        Body body = () -> { Holder.DATA.read(); Holder.sum(); };
        both(body, body);
    }
    enum Colour { RED, GREEN; int[] shades = {ordinal(), 2}; }
    static void enums() throws Exception {
        Body body = () -> { for (Colour each : Colour.values()) if (each.shades[1] != 2) throw new AssertionError(); };
        both(body, body);
    }

    static void latch() throws Exception {
        Data data = new Data();
        CountDownLatch latch = new CountDownLatch(1);
        both(() -> { data.write(); latch.countDown(); }, () -> { latch.await(); data.read(); });
    }
    static void barrier() throws Exception {
        Data one = new Data(), other = new Data();
        CyclicBarrier barrier = new CyclicBarrier(2);
        both(() -> { one.write(); barrier.await(); other.read(); },
             () -> { other.write(); barrier.await(); one.read(); });
    }
    static void phaser() throws Exception {
        Data one = new Data(), other = new Data();
        Phaser phaser = new Phaser(2);
        both(() -> { one.write(); phaser.arriveAndAwaitAdvance(); other.read(); },
             () -> { other.write(); phaser.arriveAndAwaitAdvance(); one.read(); });
    }
    static void semaphore() throws Exception {
        Data data = new Data();
        Semaphore semaphore = new Semaphore(1);
        Body body = () -> { for (int i = 0; i < 10; i++) { semaphore.acquire(); data.write(); semaphore.release(); } };
        both(body, body);
    }
    static void exchanger() throws Exception {
        Exchanger<Data> exchanger = new Exchanger<>();
        Body body = () -> { Data data = new Data(); data.write(); exchanger.exchange(data).write(); };
        both(body, body);
    }

    static void reentrantLock() throws Exception {
        Data data = new Data();
        ReentrantLock lock = new ReentrantLock();
        Body body = () -> {
            for (int i = 0; i < 20; i++) {
                lock.lock();
                try { data.write(); } finally { lock.unlock(); }
            }
        };
        both(body, body);
    }
    static void condition() throws Exception {
        Flag flag = new Flag();
        ReentrantLock lock = new ReentrantLock();
        Condition changed = lock.newCondition();
        both(() -> {
            lock.lock();
            try {
                while (flag.data.value == 0) changed.await();
                flag.data.read();
            } finally { lock.unlock(); }
        }, () -> {
            lock.lock();
            try {
                flag.data.write();
                changed.signalAll();
            } finally { lock.unlock(); }
        });
    }
    static void readWriteLock() throws Exception {
        Data data = new Data();
        ReadWriteLock lock = new ReentrantReadWriteLock();
        Body body = () -> {
            for (int i = 0; i < 10; i++) {
                lock.readLock().lock();
                try { data.read(); } finally { lock.readLock().unlock(); }
                lock.writeLock().lock();
                try { data.write(); } finally { lock.writeLock().unlock(); }
            }
        };
        both(body, body);
    }
    static void stampedLock() throws Exception {
        int[] point = new int[2];
        StampedLock lock = new StampedLock();
        Body writer = () -> {
            for (int i = 0; i < 20; i++) {
                long stamp = lock.writeLock();
                point[0]++;
                point[1]--;
                lock.unlockWrite(stamp);
            }
        };
        both(writer, () -> {
            for (int i = 0; i < 20; i++) {
                long stamp = lock.tryOptimisticRead();
                int sum = point[0] + point[1];
                if (lock.validate(stamp)) {
                    if (sum != 0) throw new AssertionError();
                    continue;
                }
                stamp = lock.readLock();
                sum = point[0] + point[1];
                lock.unlockRead(stamp);
            }
        });
    }

    static void atomics() throws Exception {
        Data data = new Data();
        AtomicBoolean ready = new AtomicBoolean();
        both(() -> { data.write(); ready.lazySet(true); },
             () -> { while (!ready.get()) Thread.onSpinWait(); data.read(); });
        AtomicReference<Data> box = new AtomicReference<>();
        both(() -> { Data own = new Data(); own.write(); box.compareAndSet(null, own); },
             () -> { Data seen; while ((seen = box.getAndSet(null)) == null) Thread.onSpinWait(); seen.write(); });
        AtomicIntegerArray turns = new AtomicIntegerArray(2);
        both(() -> { data.write(); turns.incrementAndGet(1); },
             () -> { while (turns.get(1) == 0) Thread.onSpinWait(); data.read(); });
    }
    static class Handles {
        static final VarHandle STATE;
        static {
            try {
                STATE = MethodHandles.lookup().findVarHandle(Handles.class, "state", int.class);
            } catch (ReflectiveOperationException impossible) {
                throw new AssertionError(impossible);
            }
        }
        int state;
        final Data data = new Data();
    }
    static void varHandles() throws Exception {
        Handles handles = new Handles();
        both(() -> { handles.data.write(); Handles.STATE.setRelease(handles, 1); },
             () -> { while ((int) Handles.STATE.getAcquire(handles) == 0) Thread.onSpinWait(); handles.data.read(); });
        both(() -> { handles.data.write(); Handles.STATE.getAndAdd(handles, 1); },
             () -> { while (!Handles.STATE.compareAndSet(handles, 2, 3)) Thread.onSpinWait(); handles.data.read(); });
    }

    static class Immutable {
        final int number;
        final int[] numbers;
        final Map<String, Integer> map = new HashMap<>();

        Immutable(int number) {
            this.number = number;
            numbers = new int[] {number, number + 1};
            map.put("one", 1);
        }
        void check() {
            if (number + numbers[1] + map.get("one") != 8) throw new AssertionError();
        }
    }
    static void finalFields() throws Exception {
        BlockingQueue<Immutable> queue = new ArrayBlockingQueue<>(1);
        both(() -> queue.put(new Immutable(3)),
             () -> queue.take().check());
        Object[] box = new Object[1];
        // The reference goes through a VarHandle's opaque accesses, which order nothing.
        VarHandle elements = MethodHandles.arrayElementVarHandle(Object[].class);
        both(() -> elements.setOpaque(box, 0, new Immutable(3)),
             () -> {
                 Immutable seen;
                 while ((seen = (Immutable) elements.getOpaque(box, 0)) == null) Thread.onSpinWait();
                 seen.check();
             });
    }

    static void concurrentMap() throws Exception {
        ConcurrentHashMap<String, Data> map = new ConcurrentHashMap<>();
        both(() -> { Data data = new Data(); data.write(); map.put("key", data); },
             () -> { Data seen; while ((seen = map.get("key")) == null) Thread.onSpinWait(); seen.read(); });
        both(() -> map.computeIfAbsent("other", key -> { Data data = new Data(); data.write(); return data; }).read(),
             () -> map.computeIfAbsent("other", key -> { Data data = new Data(); data.write(); return data; }).read());
    }
    static void queues() throws Exception {
        List<BlockingQueue<Data>> queues = List.of(new ArrayBlockingQueue<>(2), new LinkedBlockingQueue<>(),
            new SynchronousQueue<>(), new LinkedTransferQueue<>(), new PriorityBlockingQueue<>(2, (a, b) -> 0));
        for (BlockingQueue<Data> queue : queues)
            both(() -> { for (int i = 0; i < 5; i++) { Data data = new Data(); data.write(); queue.put(data); } },
                 () -> { for (int i = 0; i < 5; i++) queue.take().write(); });
        ConcurrentLinkedQueue<Data> other = new ConcurrentLinkedQueue<>();
        both(() -> { Data data = new Data(); data.write(); other.add(data); },
             () -> { Data seen; while ((seen = other.poll()) == null) Thread.onSpinWait(); seen.write(); });
    }
    static void synchronizedList() throws Exception {
        List<Integer> list = Collections.synchronizedList(new ArrayList<>());
        Body body = () -> { for (int i = 0; i < 10; i++) list.add(i); };
        both(body, body);
        CopyOnWriteArrayList<Data> copied = new CopyOnWriteArrayList<>();
        both(() -> { Data data = new Data(); data.write(); copied.add(data); },
             () -> { while (copied.isEmpty()) Thread.onSpinWait(); copied.get(0).read(); });
        StringBuffer text = new StringBuffer();
        both(() -> text.append("one"), () -> text.append("other"));
    }

    static void threadPool() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2, factory);
        Data data = new Data();
        data.write();
        pool.submit(data::write).get();
        data.write();
        List<Callable<Integer>> tasks = new ArrayList<>();
        int[] results = new int[8];
        for (int i = 0; i < results.length; i++) {
            int at = i;
            tasks.add(() -> results[at] = at);
        }
        pool.invokeAll(tasks);
        for (int result : results) data.value += result;
        pool.execute(data::write);
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        data.read();
    }
    static void scheduled() throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1, factory);
        Data data = new Data();
        data.write();
        pool.schedule(data::write, 1, TimeUnit.MILLISECONDS).get();
        data.read();
        pool.shutdown();
    }
    static void completableFuture() throws Exception {
        Data data = new Data();
        data.write();
        CompletableFuture<Data> future = CompletableFuture.supplyAsync(() -> { data.write(); return data; })
            .thenApplyAsync(seen -> { seen.write(); return seen; })
            .thenCombine(CompletableFuture.supplyAsync(() -> 1), (seen, one) -> { seen.write(); return seen; });
        future.get().read();
        CompletableFuture<Data> completed = new CompletableFuture<>();
        both(() -> { Data own = new Data(); own.write(); completed.complete(own); }, () -> completed.join().read());
    }
    static class Sum extends RecursiveTask<Integer> {
        final int[] numbers;
        final int from, to;
        int result;

        Sum(int[] numbers, int from, int to) { this.numbers = numbers; this.from = from; this.to = to; }
        @Override protected Integer compute() {
            if (to - from < 4) {
                for (int i = from; i < to; i++) result += numbers[i]++;
                return result;
            }
            Sum left = new Sum(numbers, from, (from + to) / 2), right = new Sum(numbers, (from + to) / 2, to);
            left.fork();
            right.compute();
            left.join();
            return result = left.result + right.result;
        }
    }
    static void forkJoin() throws Exception {
        int[] numbers = new int[64];
        numbers[5] = 5;
        if (ForkJoinPool.commonPool().invoke(new Sum(numbers, 0, 64)) != 5) throw new AssertionError();
        numbers[5]++;
        int[] squares = new int[64];
        IntStream.range(0, 64).parallel().forEach(i -> squares[i] = i * i + numbers[i]);
        if (squares[2] != 5) throw new AssertionError();
    }

    static void interrupt() throws Exception {
        Data data = new Data();
        Thread sleeper = start(() -> {
            try {
                Thread.sleep(100_000);
            } catch (InterruptedException expected) {
                data.write();
            }
        });
        data.write();
        sleeper.interrupt();
        sleeper.join();
        Thread spinner = start(() -> { while (!Thread.interrupted()) Thread.onSpinWait(); data.write(); });
        data.write();
        spinner.interrupt();
        spinner.join();
        data.read();
        Thread waiter = start(() -> {
            try {
                synchronized (factory) { factory.wait(); }
            } catch (InterruptedException expected) {
                data.write();
            }
        });
        data.write();
        waiter.interrupt();
        waiter.join();
    }
    static void park() throws Exception {
        Flag flag = new Flag();
        Thread parker = start(() -> { while (!flag.ready) LockSupport.park(); flag.data.read(); });
        flag.data.write();
        flag.ready = true;
        LockSupport.unpark(parker);
        parker.join();
    }
    static void threadLocals() throws Exception {
        ThreadLocal<Data> local = ThreadLocal.withInitial(Data::new);
        Body body = () -> { for (int i = 0; i < 5; i++) local.get().write(); };
        both(body, body);
    }
    static class Copies implements Cloneable {
        final int[] numbers = {3, 1, 2};
        int count;

        Copies copy() {
            try {
                return (Copies) clone();
            } catch (CloneNotSupportedException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }
    static void copies() throws Exception {
        Copies shared = new Copies();
        Body body = () -> {
            for (int i = 0; i < 5; i++) {
                synchronized (shared) {
                    shared.copy().count++;
                    shared.count++;
                    int[] more = Arrays.copyOf(shared.numbers, 4);
                    System.arraycopy(shared.numbers, 0, more, 1, 3);
                    Arrays.fill(shared.numbers, more.clone()[1]);
                    Arrays.sort(shared.numbers);
                }
            }
        };
        both(body, body);
    }
    static class Slots {
        static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
        static final VarHandle READY;
        static {
            try {
                READY = MethodHandles.lookup().findVarHandle(Slots.class, "ready", boolean.class);
            } catch (ReflectiveOperationException impossible) {
                throw new AssertionError(impossible);
            }
        }
        final long[] slots = new long[2];
        boolean ready;
    }
    // Plain accesses by VarHandles, between a release and an acquire.
    static void plainHandles() throws Exception {
        Slots shared = new Slots();
        both(() -> {
            for (int i = 0; i < 2; i++) Slots.SLOT.set(shared.slots, i, 7L);
            Slots.READY.setRelease(shared, true);
        }, () -> {
            while (!(boolean) Slots.READY.getAcquire(shared)) Thread.onSpinWait();
            long sum = 0;
            for (int i = 0; i < 2; i++) sum += (long) Slots.SLOT.get(shared.slots, i);
            if (sum != 14) throw new AssertionError(sum);
        });
    }
    // Objects move and die while threads hand them over.
    static void garbage() throws Exception {
        SynchronousQueue<Data[]> queue = new SynchronousQueue<>();
        both(() -> {
            for (int i = 0; i < 30; i++) {
                Data[] many = new Data[200];
                for (int k = 0; k < many.length; k++) {
                    many[k] = new Data();
                    many[k].value = k;
                }
                queue.put(many);
            }
        }, () -> { for (int i = 0; i < 30; i++) for (Data each : queue.take()) each.write(); });
    }

    public static void main(String[] arguments) throws Exception {
        boolean isVirtual = arguments.length > 0 && arguments[0].equals("virtual");
        factory = !isVirtual ? Thread::new : body -> {
            try {
                Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
                return (Thread) Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class)
                    .invoke(builder, body);
            } catch (ReflectiveOperationException impossible) {
                throw new AssertionError(impossible);
            }
        };
        Body[] cases = {Ordered::volatileFlag, Ordered::startAndJoin, Ordered::isAlive, Ordered::monitors,
            Ordered::waitAndNotify, Ordered::timedWait, Ordered::hashedMonitor, Ordered::doubleChecked,
            Ordered::classInitialization, Ordered::enums, Ordered::latch, Ordered::barrier, Ordered::phaser,
            Ordered::semaphore, Ordered::exchanger, Ordered::reentrantLock, Ordered::condition, Ordered::readWriteLock,
            Ordered::stampedLock, Ordered::atomics, Ordered::varHandles, Ordered::finalFields, Ordered::concurrentMap,
            Ordered::queues, Ordered::synchronizedList, Ordered::threadPool, Ordered::scheduled,
            Ordered::completableFuture, Ordered::forkJoin, Ordered::interrupt, Ordered::park, Ordered::threadLocals,
            Ordered::copies, Ordered::plainHandles, Ordered::garbage};
        for (Body each : cases) each.run();
        System.out.println("ran " + cases.length + " cases");
    }
}
