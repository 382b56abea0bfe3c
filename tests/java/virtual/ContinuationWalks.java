// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// StackWalker over continuations: from a mounted continuation through its parents up to a scope; over unmounted
// continuations and their parents; over virtual threads; in batches of frames; with hidden frames.
// since: 25
// javac: --add-exports java.base/jdk.internal.vm=ALL-UNNAMED --add-exports java.base/jdk.internal.access=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.vm=ALL-UNNAMED --add-exports java.base/jdk.internal.access=ALL-UNNAMED
import java.lang.StackWalker.Option;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import jdk.internal.access.SharedSecrets;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

public class ContinuationWalks {
    static final ContinuationScope OUTER = new ContinuationScope("outer"), INNER = new ContinuationScope("inner"),
                                   UNUSED = new ContinuationScope("unused");

    static StackWalker of(ContinuationScope scope, Continuation continuation, Option... options) {
        Set<Option> all = options.length == 0 ? EnumSet.noneOf(Option.class) : EnumSet.copyOf(Arrays.asList(options));
        return SharedSecrets.getJavaLangAccess().newStackWalkerInstance(all, scope, continuation);
    }
    static StackWalker of(ContinuationScope scope) {
        return of(scope, null);
    }
    static void show(String what, StackWalker walker) {
        String answer;
        try {
            List<String> frames = walker.walk(
                all -> all.map(f -> f.getMethodName() + ":" + f.getLineNumber()).collect(Collectors.toList()));
            answer = frames.size() < 30 ? frames.toString() : frames.size() + " " + frames.hashCode();
        } catch (Throwable thrown) {
            answer = thrown.toString();
        }
        System.out.println(what + ": " + answer);
    }
    static void showAll(String when) {
        show(when + ", plain", StackWalker.getInstance());
        show(when + ", hidden", StackWalker.getInstance(Option.SHOW_HIDDEN_FRAMES));
        show(when + ", outer", of(OUTER));
        show(when + ", inner", of(INNER));
        show(when + ", unused", of(UNUSED));
        show(when + ", classes", of(OUTER, null, Option.DROP_METHOD_INFO));
        System.out.println(StackWalker.getInstance().walk(all -> all.skip(2).findFirst()).isPresent());
    }

    static int depth;
    static void inner(int more) {
        if (more > 0) {
            inner(more - 1);
            return;
        }
        showAll("in inner " + depth);
        Continuation.yield(INNER);
        showAll("in inner again");
        Continuation.yield(OUTER);
        show("third time", of(OUTER));
    }
    static void outer(int more) {
        if (more > 0) {
            outer(more - 1);
            return;
        }
        Continuation inside = new Continuation(INNER, () -> inner(depth));
        show("not begun", of(INNER, inside));
        while (!inside.isDone()) {
            inside.run();
            show("in outer", of(OUTER));
            show("of the inner one", of(INNER, inside));
            show("of the inner one, outer", of(OUTER, inside));
            show("of the inner one, no scope", of(null, inside));
        }
        show("ended", of(INNER, inside));
    }
    static void nest() {
        Continuation outside = new Continuation(OUTER, () -> outer(depth / 2));
        while (!outside.isDone()) {
            outside.run();
            show("main", of(OUTER));
            show("of the outer one", of(OUTER, outside));
            show("of the outer one, no scope", of(null, outside));
            show("its walker", outside.stackWalker());
            System.out.println(outside.getStackTrace().length);
        }
    }
    static void caller() {
        System.out.println(StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE).getCallerClass());
    }

    public static void main(String[] arguments) throws Exception {
        // Depths 5 and 20 are left out. At these depths a batch of frames ends with a continuation's last frame, and
        // HotSpot then loses the frames of the parent continuation.
        for (int i : new int[] {0, 1, 2, 3, 4, 6, 9, 14, 19, 21, 35, 60}) {
            depth = i;
            nest();
        }
        new Continuation(OUTER, ContinuationWalks::caller).run();
        Thread.ofVirtual().start(() -> {
            showAll("virtual");
            caller();
            new Continuation(INNER, () -> showAll("in a virtual thread")).run();
        }).join();
        Thread.ofVirtual().start(() -> {
            depth = 3;
            nest();
        }).join();
        CountDownLatch begun = new CountDownLatch(1);
        Thread parked = Thread.ofVirtual().start(() -> {
            begun.countDown();
            LockSupport.park();
        });
        begun.await();
        while (parked.getState() != Thread.State.WAITING) Thread.sleep(1);
        for (StackTraceElement element : parked.getStackTrace())
            if (!element.getMethodName().startsWith("lambda$main$")) System.out.println(element.getMethodName());
        LockSupport.unpark(parked);
        parked.join();
    }
}
