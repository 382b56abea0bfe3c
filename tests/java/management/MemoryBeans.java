// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Pools, collectors, notifications and thresholds of java.lang.management. Names of pools and collectors are each VM's
// own.
// jvm: -Xmx64m

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryNotificationInfo;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

public class MemoryBeans {
    static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();
    static Object kept;

    static boolean isSound(MemoryUsage usage) {
        return usage.getUsed() >= 0 && usage.getUsed() <= usage.getCommitted()
                && (usage.getMax() == -1 || usage.getCommitted() <= usage.getMax());
    }

    static void pools() {
        kept = new byte[4_000_000];
        System.gc();
        MemoryUsage heap = MEMORY.getHeapMemoryUsage();
        System.out.println(
                "heap: " + isSound(heap) + " " + (heap.getUsed() >= 4_000_000) + " " + (heap.getMax() <= 64 << 20));
        System.out.println("the rest: " + isSound(MEMORY.getNonHeapMemoryUsage()) + " "
                + (MEMORY.getNonHeapMemoryUsage().getUsed() > 100_000));
        long sum = 0;
        boolean sound = true, peaks = true;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage usage = pool.getUsage();
            sound &= pool.isValid() && isSound(usage) && pool.getMemoryManagerNames().length >= 1;
            peaks &= isSound(pool.getPeakUsage()) && pool.getPeakUsage().getUsed() >= 0;
            if (pool.getType() == MemoryType.HEAP) sum += pool.getCollectionUsage().getUsed();
            else sound &= pool.getCollectionUsage() == null;
            pool.resetPeakUsage();
        }
        System.out.println("pools: " + sound + " " + peaks + ", after the collection " + (sum >= 4_000_000));
        long collections = 0, milliseconds = 0;
        boolean manage = true;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections += collector.getCollectionCount();
            milliseconds += collector.getCollectionTime();
            manage &= collector.isValid() && collector.getMemoryPoolNames().length >= 1;
        }
        System.out.println("collectors: " + (collections >= 1) + " " + (milliseconds >= 0) + " " + manage);
    }

    static void collections() throws Exception {
        BlockingQueue<GarbageCollectionNotificationInfo> news = new LinkedBlockingQueue<>();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector).addNotificationListener((notification, handback) -> {
                if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION))
                    news.add(GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData()));
            }, null, null);
        }
        System.gc();
        GarbageCollectionNotificationInfo info;
        do info = news.take(); while (!info.getGcCause().equals("System.gc()"));
        com.sun.management.GcInfo gc = info.getGcInfo();
        boolean sound = gc.getMemoryUsageAfterGc().values().stream().allMatch(MemoryBeans::isSound)
                && gc.getMemoryUsageBeforeGc().keySet().equals(gc.getMemoryUsageAfterGc().keySet());
        System.out.println("a collection: " + info.getGcAction() + ", " + info.getGcCause() + ", " + (gc.getId() >= 1)
                + " " + (gc.getEndTime() >= gc.getStartTime()) + " " + (gc.getDuration() >= 0) + " " + sound
                + ", threads " + (((Integer) gc.get("GcThreadCount")) >= 1));
        String name = info.getGcName();
        com.sun.management.GarbageCollectorMXBean bean =
                (com.sun.management.GarbageCollectorMXBean) ManagementFactory.getGarbageCollectorMXBeans()
                        .stream()
                        .filter(each -> each.getName().equals(name))
                        .findFirst()
                        .get();
        System.out.println("the last one: " + (bean.getLastGcInfo().getId() >= gc.getId()) + " "
                + (bean.getCollectionCount() >= bean.getLastGcInfo().getId() - 1));
    }

    static void thresholds() throws Exception {
        BlockingQueue<String> news = new LinkedBlockingQueue<>();
        ((NotificationEmitter) MEMORY).addNotificationListener((notification, handback) -> {
            MemoryNotificationInfo info = MemoryNotificationInfo.from((CompositeData) notification.getUserData());
            news.add(notification.getType() + " " + (info.getUsage().getUsed() >= 8_000_000) + " "
                    + (info.getCount() >= 1));
        }, null, null);
        kept = null;
        System.gc();
        List<MemoryPoolMXBean> pools =
                ManagementFactory.getMemoryPoolMXBeans()
                        .stream()
                        .filter(each
                                -> each.getType() == MemoryType.HEAP && each.isUsageThresholdSupported()
                                        && each.isCollectionUsageThresholdSupported())
                        .toList();
        MemoryPoolMXBean pool = pools.get(pools.size() - 1);
        pool.setCollectionUsageThreshold(8_000_000);
        System.out.println("threshold: " + pool.getCollectionUsageThreshold() + ", exceeded "
                + pool.isCollectionUsageThresholdExceeded());
        byte[][] much = new byte[100][];
        for (int i = 0; i < much.length; i++) much[i] = new byte[100_000];
        kept = much;
        System.gc();
        System.out.println(news.take());
        System.out.println("exceeded " + pool.isCollectionUsageThresholdExceeded() + ", often "
                + (pool.getCollectionUsageThresholdCount() >= 1));
        System.gc();
        System.out.println(news.take());
        System.out.println("each time: " + (pool.getCollectionUsageThresholdCount() >= 2));
        try {
            pool.setUsageThreshold(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] arguments) throws Exception {
        pools();
        collections();
        thresholds();
    }
}
