// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A listener that is slower than the collections is notified of every collection.
// jvm: -Xmx64m

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

public class SlowListener {
    public static void main(String[] arguments) throws Exception {
        final int collections = 150;
        CountDownLatch asked = new CountDownLatch(1), told = new CountDownLatch(collections);
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector).addNotificationListener((notification, handback) -> {
                try {
                    asked.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                var info = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
                if (info.getGcCause().equals("System.gc()")) told.countDown();
            }, null, null);
        }
        for (int i = 0; i < collections; i++) System.gc();
        asked.countDown();
        told.await();
        System.out.println(collections + " collections told");
    }
}
