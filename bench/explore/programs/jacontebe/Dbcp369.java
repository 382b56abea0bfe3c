// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A map of data sources is iterated under a lock that the thread removing an entry does not take.
import java.util.HashMap;
import java.util.Map;

public class Dbcp369 {
    final Map<String, Object> sources = new HashMap<>();

    synchronized String register(Object source) {
        int largest = 0;
        for (String key : sources.keySet()) largest = Math.max(largest, Integer.parseInt(key));
        String key = String.valueOf(largest + 1);
        sources.put(key, source);
        return key;
    }

    void remove(String key) {
        sources.remove(key);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Dbcp369 factory = new Dbcp369();
        String first = factory.register(new Object());
        factory.register(new Object());
        factory.register(new Object());
        Thread closer = new Thread(() -> factory.remove(first));
        closer.start();
        factory.register(new Object());
        closer.join();
    }
}
