// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads load the same classes of platform and application modules at once, through different loaders. All threads get
// the same classes.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;

public class ConcurrentLoading {
    static final String[] names = {"java.sql.Date", "java.sql.SQLException", "java.sql.BatchUpdateException",
            "java.sql.DriverManager", "javax.sql.RowSetEvent", "java.net.http.HttpTimeoutException",
            "java.net.http.WebSocketHandshakeException", "javax.script.ScriptException", "javax.script.SimpleBindings",
            "com.sun.tools.javac.code.Type", "com.sun.tools.javac.code.Symbol$ClassSymbol",
            "com.sun.tools.javac.tree.JCTree$JCBinary", "com.sun.tools.javac.util.ListBuffer",
            "com.sun.source.util.TreeScanner", "jdk.internal.joptsimple.OptionException", "java.util.logging.LogRecord",
            "javax.naming.NamingException"};

    public static void main(String[] args) throws Exception {
        Map<String, Set<Class<?>>> found = new ConcurrentHashMap<>();
        for (String each : names)
            found.put(each, Collections.synchronizedSet(Collections.newSetFromMap(new java.util.IdentityHashMap<>())));
        CyclicBarrier start = new CyclicBarrier(6);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 6; ++i) {
            ClassLoader from = i % 2 == 0 ? ClassLoader.getPlatformClassLoader() : ClassLoader.getSystemClassLoader();
            Thread thread = new Thread(() -> {
                try {
                    for (String each : names) {
                        start.await();
                        found.get(each).add(Class.forName(each, true, from));
                    }
                } catch (Exception failure) {
                    System.out.println(failure);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread each : threads) each.join();
        for (String each : names) {
            Class<?> type = found.get(each).iterator().next();
            System.out.println(each + " " + found.get(each).size() + " " + type.getModule() + " "
                    + (type.getClassLoader() == null ? "boot" : type.getClassLoader().getName()));
        }
    }
}
