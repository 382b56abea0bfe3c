// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class with the name and bytes of a JDK class, which another loader defines, does not get the JDK's native methods.

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

public class NativesOfOthers {
    static class Loader extends ClassLoader {
        Class<?> define(String name) throws Exception {
            byte[] bytes = getSystemResourceAsStream(name.replace('.', '/') + ".class").readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Class<?> signal = new Loader().define("jdk.internal.misc.Signal");
        Method find = signal.getDeclaredMethod("findSignal0", String.class);
        find.setAccessible(true);
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(find.invoke(null, "TERM"));
            } catch (InvocationTargetException e) {
                System.out.println(e.getCause());
            }
        }
    }
}
