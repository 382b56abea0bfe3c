// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a heap dump by VisualVM's library, and prints what it finds of the class Dumped, for heap_dump.py.

import java.io.File;
import java.util.List;
import org.graalvm.visualvm.lib.jfluid.heap.GCRoot;
import org.graalvm.visualvm.lib.jfluid.heap.Heap;
import org.graalvm.visualvm.lib.jfluid.heap.HeapFactory;
import org.graalvm.visualvm.lib.jfluid.heap.Instance;
import org.graalvm.visualvm.lib.jfluid.heap.JavaClass;
import org.graalvm.visualvm.lib.jfluid.heap.PrimitiveArrayInstance;

public class ReadDump {
    static String text(Instance string) {
        StringBuilder out = new StringBuilder();
        for (Object each : ((PrimitiveArrayInstance) string.getValueOfField("value")).getValues())
            out.append((char) (Integer.parseInt(each.toString()) & 0xFF));
        return out.toString();
    }

    public static void main(String[] arguments) throws Exception {
        Heap heap = HeapFactory.createHeap(new File(arguments[0]));
        System.out.println("instances " + heap.getSummary().getTotalLiveInstances());
        JavaClass dumped = heap.getJavaClassByName("Dumped"), leaf = heap.getJavaClassByName("Dumped$Leaf");
        System.out.println("leaves " + leaf.getInstancesCount() + " of " + leaf.getSuperClass().getName());
        Instance kept = (Instance) dumped.getValueOfStaticField("KEPT");
        System.out.println("kept " + kept.getValueOfField("wide") + " " + kept.getValueOfField("d") + " "
                + kept.getValueOfField("yes"));
        System.out.println("text "
                + text((Instance) ((org.graalvm.visualvm.lib.jfluid.heap.ObjectArrayInstance) kept.getValueOfField(
                                           "all"))
                                .getValues()
                                .get(2)));
        System.out.println("counter " + dumped.getValueOfStaticField("counter"));
        int threads = 0, frames = 0;
        for (Object each : heap.getGCRoots()) {
            if (((GCRoot) each).getInstance() == null)
                throw new IllegalStateException("a root of nothing: " + ((GCRoot) each).getKind());
            if (GCRoot.THREAD_OBJECT.equals(((GCRoot) each).getKind())) threads++;
            if (GCRoot.JAVA_FRAME.equals(((GCRoot) each).getKind())) frames++;
        }
        System.out.println("threads " + (threads >= 2) + " frames " + (frames >= 2));
        System.out.println("reached " + (kept.getNearestGCRootPointer() != null));
        int visited = 0;
        for (Object each : (List<?>) heap.getAllClasses()) visited += ((JavaClass) each).getInstancesCount();
        System.out.println("visited " + visited);
    }
}
