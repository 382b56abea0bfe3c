// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two threads transform documents by one style sheet that they share (bench/programs/XalanRun.java).
// maven: xalan:xalan:2.7.3 xalan:serializer:2.7.3 xerces:xercesImpl:2.12.2
// sources: programs/XalanRun.java kernels/Kernel.java
// iterations: 20
// locks: yes
public class XalanDocuments extends Workload {
    private final XalanRun documents = new XalanRun(2, 400);

    private XalanDocuments() throws javax.xml.transform.TransformerException {}

    @Override protected long iteration() {
        return documents.work();
    }

    public static void main(String[] arguments) throws Exception {
        new XalanDocuments().run(arguments);
    }
}
