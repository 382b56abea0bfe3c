// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The other beans of java.lang.management: the run time, the machine, classes, the compiler, flags, diagnostic
// commands, and the MBean server.
// jvm: -Dgiven=1 -XX:MinHeapFreeRatio=33

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;

public class PlatformBeans {
    static void runtime() {
        RuntimeMXBean bean = ManagementFactory.getRuntimeMXBean();
        System.out.println(bean.getInputArguments().contains("-Dgiven=1") + " "
                + bean.getSystemProperties().get("given") + " " + bean.getManagementSpecVersion());
        System.out.println((bean.getPid() == ProcessHandle.current().pid()) + " "
                + bean.getName().startsWith(bean.getPid() + "@") + " " + bean.getSpecVersion());
        long now = System.currentTimeMillis();
        System.out.println((bean.getStartTime() <= now) + " " + (bean.getUptime() >= 0) + " "
                + (Math.abs(bean.getStartTime() + bean.getUptime() - now) < 60_000));
    }

    static void machine() {
        UnixOperatingSystemMXBean bean = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        System.out.println(bean.getName() + " " + bean.getArch() + " "
                + (bean.getAvailableProcessors() == Runtime.getRuntime().availableProcessors()) + " "
                + (bean.getSystemLoadAverage() >= 0));
        System.out.println((bean.getTotalMemorySize() > bean.getFreeMemorySize()) + " "
                + (bean.getCommittedVirtualMemorySize() > 1_000_000) + " " + (bean.getProcessCpuTime() > 0) + " "
                + (bean.getFreeSwapSpaceSize() <= bean.getTotalSwapSpaceSize()));
        double load = bean.getCpuLoad(), own = bean.getProcessCpuLoad();
        System.out.println((load >= -1 && load <= 1) + " " + (own >= -1 && own <= 1));
        System.out.println((bean.getOpenFileDescriptorCount() >= 3) + " "
                + (bean.getOpenFileDescriptorCount() < bean.getMaxFileDescriptorCount()));
    }

    static void classes() {
        ClassLoadingMXBean bean = ManagementFactory.getClassLoadingMXBean();
        System.out.println((bean.getLoadedClassCount() > 100) + " "
                + (bean.getTotalLoadedClassCount() >= bean.getLoadedClassCount()) + " "
                + (bean.getUnloadedClassCount() >= 0) + " " + bean.isVerbose());
        long loaded = bean.getTotalLoadedClassCount();
        Class<?> type = PlatformBeans.class;
        for (int i = 0; i < 100; i++) type = type.arrayType();
        System.out.println("array types are not counted: " + (bean.getTotalLoadedClassCount() - loaded < 50));
        System.out.println("verbose collections: " + ManagementFactory.getMemoryMXBean().isVerbose());
    }

    static void flags() throws IOException {
        HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        System.out.println(bean.getVMOption("MinHeapFreeRatio"));
        System.out.println(bean.getVMOption("HeapDumpOnOutOfMemoryError"));
        bean.setVMOption("HeapDumpOnOutOfMemoryError", "true");
        bean.setVMOption("HeapDumpPath", "/tmp/nowhere");
        System.out.println(bean.getVMOption("HeapDumpOnOutOfMemoryError"));
        System.out.println(bean.getVMOption("HeapDumpPath"));
        System.out.println(
                bean.getDiagnosticOptions().stream().anyMatch(option -> option.getName().equals("HeapDumpPath")));
        for (String[] wrong : new String[][] {{"NoSuchFlag", "1"}, {"MaxHeapSize", "1"},
                     {"HeapDumpOnOutOfMemoryError", "perhaps"}, {"MinHeapFreeRatio", "90"}}) {
            try {
                bean.setVMOption(wrong[0], wrong[1]);
                System.out.println("set " + wrong[0]);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        Path folder = Files.createTempDirectory("beans");
        Path dump = folder.resolve("heap.hprof");
        bean.dumpHeap(dump.toString(), true);
        byte[] begin = new byte[18];
        try (var in = Files.newInputStream(dump)) {
            in.read(begin);
        }
        System.out.println(new String(begin) + " " + (Files.size(dump) > 100_000));
        try {
            bean.dumpHeap(dump.toString(), true);
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        Files.delete(dump);
        Files.delete(folder);
    }

    static void server() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        System.out.println(server.getAttribute(new ObjectName("java.lang:type=Runtime"), "SpecName"));
        ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
        String[] signature = {String[].class.getName()};
        String histogram = (String) server.invoke(commands, "gcClassHistogram", new Object[] {null}, signature);
        System.out.println(histogram.contains("java.lang.String") + " " + histogram.contains("Total"));
        String threads = (String) server.invoke(commands, "threadPrint", new Object[] {null}, signature);
        System.out.println(threads.contains("\"main\"") + " " + threads.contains("PlatformBeans.server"));
        System.out.println(((String) server.invoke(commands, "vmUptime", new Object[] {null}, signature))
                        .strip()
                        .matches("[0-9.]+ s"));
        System.out.println(((String) server.invoke(commands, "vmFlags", new Object[] {null}, signature))
                        .contains("-XX:MinHeapFreeRatio=33"));
        try {
            server.invoke(commands, "vmUptime", new Object[] {new String[] {"nonsense"}}, signature);
        } catch (RuntimeMBeanException e) {
            System.out.println(e.getCause().getMessage());
        }
    }

    public static void main(String[] arguments) throws Exception {
        runtime();
        machine();
        classes();
        flags();
        server();
    }
}
