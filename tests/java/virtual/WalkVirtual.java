// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stacks of virtual threads: StackWalker, traces of exceptions, and a logger, which walks, too.
// since: 21
import java.util.logging.Logger;

public class WalkVirtual {
    static void inner() {
        System.out.println("frames " + StackWalker.getInstance()
            .walk(frames -> frames.map(StackWalker.StackFrame::getMethodName).limit(2).toList()));
        System.out.println(new Throwable().getStackTrace()[0]);
        Logger.getLogger("walked").warning("from a virtual thread");
    }

    static void outer() {
        inner();
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("java.util.logging.SimpleFormatter.format", "%4$s %2$s %5$s%n");
        for (int i = 0; i < 3; i++) Thread.ofVirtual().start(WalkVirtual::outer).join();
        Thread thread = Thread.ofVirtual().unstarted(() -> {});
        System.out.println(thread.getStackTrace().length);
    }
}
