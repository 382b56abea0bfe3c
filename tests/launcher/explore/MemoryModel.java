// Idioms of concurrent Java, each with two actors, which run in threads of their own. Prints what the actors saw.
//
//   java MemoryModel plainInitializer        "-1": no object yet; "0": an object whose field is not initialized; "42"
//
// explore_memory.py has the results that the Java memory model permits.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;

public class MemoryModel {
    abstract static class Case {
        int r1, r2, r3, r4;   // each is written by one actor, and read after the actors have ended

        abstract void actor1();

        abstract void actor2();

        String result() {
            return r1 + " " + r2;
        }
    }

    static final VarHandle X, Y;

    static {
        try {
            X = MethodHandles.lookup().findVarHandle(Fields.class, "x", int.class);
            Y = MethodHandles.lookup().findVarHandle(Fields.class, "y", int.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    abstract static class Fields extends Case {
        int x, y;
        volatile int guard, other;
    }

    // --- objects that are published without an order ---

    static final class Plain {
        int value;

        Plain() {
            value = 42;
        }
    }

    static final class Final {
        final int value;

        Final() {
            value = 42;
        }
    }

    static final class Leaking {
        static Leaking leaked;
        final int value;

        Leaking() {
            leaked = this;
            value = 42;
        }
    }

    static final class Volatile {
        volatile int value;

        Volatile() {
            value = 42;
        }
    }

    static final class Reaching {
        final int[] values;

        Reaching() {
            values = new int[1];
            values[0] = 42;
        }
    }

    static final class LateReaching {
        final int[] values = new int[1];
    }

    static final class Chain {
        final Plain plain;
        Plain notFinal;

        Chain() {
            plain = new Plain();
            notFinal = new Plain();
        }
    }

    static Case of(String name) {
        return switch (name) {
            case "twoFields" -> new Case() {
                int[] pair;
                void actor1() {
                    int[] made = new int[2];
                    made[0] = 1;
                    made[1] = 1;
                    pair = made;
                }
                void actor2() {
                    int[] seen = pair;
                    r1 = seen == null ? -1 : seen[0] + seen[1];
                }
                String result() { return "" + r1; }
            };
            case "bytes" -> new Case() {
                final byte[] bytes = new byte[2];
                void actor1() { bytes[0] = 1; }
                void actor2() { bytes[1] = 1; }
                String result() { return bytes[0] + " " + bytes[1]; }
            };
            case "bits" -> new Case() {
                final BitSet bits = new BitSet(8);
                void actor1() { bits.set(0); }
                void actor2() { bits.set(1); }
                String result() { return (bits.get(0) ? 1 : 0) + " " + (bits.get(1) ? 1 : 0); }
            };
            case "coherence" -> new Fields() {
                void actor1() { x = 1; }
                void actor2() { r1 = x; r2 = x; }
            };
            case "coherenceVolatile" -> new Fields() {
                void actor1() { guard = 1; }
                void actor2() { r1 = guard; r2 = guard; }
            };
            case "coherenceOpaque" -> new Fields() {
                void actor1() { X.setOpaque((Fields) this, 1); }
                void actor2() { r1 = (int) X.getOpaque((Fields) this); r2 = (int) X.getOpaque((Fields) this); }
            };
            case "causality" -> new Fields() {
                void actor1() { x = 1; y = 1; }
                void actor2() { r1 = y; r2 = x; }
            };
            case "causalityVolatile" -> new Fields() {
                void actor1() { x = 1; guard = 1; }
                void actor2() { r1 = guard; r2 = x; }
            };
            case "causalityAcquireRelease" -> new Fields() {
                void actor1() { x = 1; Y.setRelease((Fields) this, 1); }
                void actor2() { r1 = (int) Y.getAcquire((Fields) this); r2 = x; }
            };
            case "consensus" -> new Fields() {
                void actor1() { x = 1; r1 = y; }
                void actor2() { y = 1; r2 = x; }
            };
            case "consensusVolatile" -> new Fields() {
                void actor1() { guard = 1; r1 = other; }
                void actor2() { other = 1; r2 = guard; }
            };
            case "consensusAcquireRelease" -> new Fields() {
                void actor1() { X.setRelease((Fields) this, 1); r1 = (int) Y.getAcquire((Fields) this); }
                void actor2() { Y.setRelease((Fields) this, 1); r2 = (int) X.getAcquire((Fields) this); }
            };
            case "plainInitializer" -> new Case() {
                Plain plain;
                void actor1() { plain = new Plain(); }
                void actor2() { Plain seen = plain; r1 = seen == null ? -1 : seen.value; }
                String result() { return "" + r1; }
            };
            case "finalInitializer" -> new Case() {
                Final made;
                void actor1() { made = new Final(); }
                void actor2() { Final seen = made; r1 = seen == null ? -1 : seen.value; }
                String result() { return "" + r1; }
            };
            case "leakedFinal" -> new Case() {
                void actor1() { new Leaking(); }
                void actor2() { Leaking seen = Leaking.leaked; r1 = seen == null ? -1 : seen.value; }
                String result() { return "" + r1; }
            };
            case "volatileInitializer" -> new Case() {
                Volatile made;
                void actor1() { made = new Volatile(); }
                void actor2() { Volatile seen = made; r1 = seen == null ? -1 : seen.value; }
                String result() { return "" + r1; }
            };
            case "reachedThroughFinal" -> new Case() {
                Reaching made;
                void actor1() { made = new Reaching(); }
                void actor2() { Reaching seen = made; r1 = seen == null ? -1 : seen.values[0]; }
                String result() { return "" + r1; }
            };
            case "writtenAfterFreeze" -> new Case() {
                LateReaching made;
                void actor1() {
                    LateReaching late = new LateReaching();
                    late.values[0] = 42;
                    made = late;
                }
                void actor2() { LateReaching seen = made; r1 = seen == null ? -1 : seen.values[0]; }
                String result() { return "" + r1; }
            };
            case "chain" -> new Case() {
                Chain made;
                void actor1() { made = new Chain(); }
                void actor2() {
                    Chain seen = made;
                    r1 = seen == null ? -1 : seen.plain.value;
                    Plain plain = seen == null ? null : seen.notFinal;
                    r2 = plain == null ? -1 : plain.value;
                }
            };
            case "passedOn" -> new Case() {   // a third thread gets the object from the second one
                Final made, passed;
                Thread third;
                void actor1() { made = new Final(); }
                void actor2() {
                    third = new Thread(() -> {
                        Final seen = passed;
                        r1 = seen == null ? -1 : seen.value;
                    });
                    third.start();
                    passed = made;
                    try {
                        third.join();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
                String result() { return "" + r1; }
            };
            case "cache" -> new Case() {   // reads the cached object once
                Final cached;
                int get() {
                    Final seen = cached;
                    if (seen == null) cached = seen = new Final();
                    return seen.value;
                }
                void actor1() { r1 = get(); }
                void actor2() { r2 = get(); }
            };
            case "cacheReadTwice" -> new Case() {
                Final cached;
                int get() {
                    if (cached == null) cached = new Final();
                    Final again = cached;
                    return again == null ? -1 : again.value;
                }
                void actor1() { r1 = get(); }
                void actor2() { r2 = get(); }
            };
            case "outOfThinAir" -> new Fields() {
                void actor1() { r1 = x; y = r1; }
                void actor2() { r2 = y; x = r2; }
            };
            case "loadBuffering" -> new Fields() {
                void actor1() { r1 = x; y = 1; }
                void actor2() { r2 = y; x = 1; }
            };
            case "monitorsAsBarriers" -> new Fields() {
                void actor1() { x = 1; synchronized (this) { } y = 1; }
                void actor2() { r1 = y; synchronized (this) { } r2 = x; }
            };
            case "monitorOfNewObject" -> new Fields() {
                void actor1() { x = 1; synchronized (new Object()) { } y = 1; }
                void actor2() { r1 = y; synchronized (new Object()) { } r2 = x; }
            };
            case "semiSynchronized" -> new Fields() {
                void actor1() { synchronized (this) { x = 1; y = 1; } }
                void actor2() { r1 = y; r2 = x; }
            };
            case "lostUpdates" -> new Fields() {
                void actor1() { guard++; }
                void actor2() { guard++; }
                String result() { return "" + guard; }
            };
            case "atomicUpdates" -> new Fields() {
                final AtomicInteger counter = new AtomicInteger();
                void actor1() { counter.incrementAndGet(); }
                void actor2() { counter.incrementAndGet(); }
                String result() { return "" + counter.get(); }
            };
            case "releasedTooEarly" -> new Fields() {
                void actor1() { guard = 1; x = 1; }
                void actor2() { r1 = guard; r2 = x; }
            };
            case "acquiredTooLate" -> new Fields() {
                void actor1() { x = 1; guard = 1; }
                void actor2() { r2 = x; r1 = guard; }
            };
            case "otherVolatile" -> new Fields() {
                void actor1() { x = 1; guard = 1; y = 1; }
                void actor2() { r1 = y; int ignored = other; r2 = x; }
            };
            case "volatileArray" -> new Case() {
                volatile int[] array = new int[2];
                void actor1() { array[0] = 1; array[1] = 1; }
                void actor2() { r1 = array[1]; r2 = array[0]; }
            };
            case "fences" -> new Fields() {
                void actor1() { x = 1; VarHandle.releaseFence(); y = 1; }
                void actor2() { r1 = y; VarHandle.acquireFence(); r2 = x; }
            };
            case "fullFences" -> new Fields() {
                void actor1() { x = 1; VarHandle.fullFence(); r1 = y; }
                void actor2() { y = 1; VarHandle.fullFence(); r2 = x; }
            };
            default -> throw new IllegalArgumentException(name);
        };
    }

    public static void main(String[] arguments) throws InterruptedException {
        Case warm = of(arguments[0]);   // links what the actors will execute
        warm.actor1();
        warm.actor2();
        Leaking.leaked = null;
        Case test = of(arguments[0]);
        Thread first = new Thread(test::actor1), second = new Thread(test::actor2);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(test.result());
    }
}
