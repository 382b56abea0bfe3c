// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Prefixes of native methods: the name of a native method gets a prefix, and a wrapper takes over the old name.
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;

public class Prefixing {
    public static void premain(String options, Instrumentation instrumentation) {
        ClassFileTransformer transformer = new ClassFileTransformer() { };
        instrumentation.addTransformer(transformer, true);
        System.out.println(instrumentation.isNativeMethodPrefixSupported());
        instrumentation.setNativeMethodPrefix(transformer, "wrapped_");
        try {
            instrumentation.setNativeMethodPrefix(new ClassFileTransformer() { }, "x");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
