// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// An agent that prints its options and what its Instrumentation supports.
import java.lang.instrument.Instrumentation;

public class Options {
    public static void premain(String options, Instrumentation instrumentation) {
        show("premain", options, instrumentation);
    }

    public static void agentmain(String options, Instrumentation instrumentation) {
        show("agentmain", options, instrumentation);
    }

    private static void show(String how, String options, Instrumentation instrumentation) {
        System.out.println(how + " " + options + " redefine " + instrumentation.isRedefineClassesSupported()
                + " retransform " + instrumentation.isRetransformClassesSupported() + " prefix "
                + instrumentation.isNativeMethodPrefixSupported());
        System.out.println(Thread.currentThread().getName() + " "
                + Thread.currentThread().getContextClassLoader().getName() + " "
                + Options.class.getClassLoader().getName() + " " + System.getProperty("java.class.path"));
        System.out.println(instrumentation.getClass().getModule() + " "
                + Options.class.getModule().canRead(instrumentation.getClass().getModule()));
        if ("throw".equals(options)) throw new IllegalStateException("as told", new RuntimeException("cause"));
        if ("exit".equals(options)) System.exit(7);
    }
}
