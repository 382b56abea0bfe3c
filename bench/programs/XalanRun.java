// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The load of DaCapo's xalan, rewritten. Threads take documents from a queue, and transform each document by a style
// sheet that all threads share. So the threads contend for Xalan's synchronized pools and tables. Needs Debian's
// libxalan2-java.
//
//     java XalanRun [REPETITIONS [THREADS [DOCUMENTS]]]      DOCUMENTS: of one repetition, 200 unless told
//
// Output: as all kernels. The checksum does not depend on the order in which threads are done.
import java.io.StringReader;
import java.io.Writer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.xml.transform.Templates;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

public class XalanRun extends Kernel {
    static final int DISTINCT = 10;   // number of documents; each document is transformed many times
    static final String FACTORY = "org.apache.xalan.processor.TransformerFactoryImpl";

    static final String STYLE_SHEET = String.join("\n",
            "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>",
            "<xsl:output method='xml' indent='no'/>",
            "<xsl:key name='of-kind' match='item' use='@kind'/>",
            "<xsl:template match='/list'>",
            "  <report items='{count(item)}'>",
            "    <xsl:apply-templates select='item[@price &gt; 20]'>",
            "      <xsl:sort select='@price' data-type='number' order='descending'/>",
            "    </xsl:apply-templates>",
            "    <dear><xsl:value-of select='sum(item[@price &gt; 80]/@price)'/></dear>",
            "  </report>",
            "</xsl:template>",
            "<xsl:template match='item'>",
            "  <xsl:variable name='alike' select=\"key('of-kind', @kind)\"/>",
            "  <row place='{position()}' kind='{@kind}' alike='{count($alike)}'>",
            "    <xsl:if test='position() mod 2 = 0'><xsl:attribute name='even'>yes</xsl:attribute></xsl:if>",
            "    <xsl:value-of select='normalize-space(name)'/>",
            "    <xsl:for-each select='tag[not(. = preceding-sibling::tag)]'>",
            "      <tag><xsl:value-of select=\"translate(., 'abcdef', 'ABCDEF')\"/></tag>",
            "    </xsl:for-each>",
            "  </row>",
            "</xsl:template>",
            "</xsl:stylesheet>");

    static String document(int number) {
        StringBuilder out = new StringBuilder("<list>");
        int state = 4711 + number;
        for (int i = 0; i < 40; i++) {
            state = state * 1103515245 + 12345;
            int price = (state >>> 16) % 100;
            out.append("<item kind='k").append(price % 7).append("' price='").append(price).append("'><name>  thing ")
                    .append(i).append("  of ").append(number).append(" </name>");
            for (int tag = 0; tag < 4; tag++) out.append("<tag>").append("abc".charAt((price + tag) % 3)).append("</tag>");
            out.append("</item>");
        }
        return out.append("</list>").toString();
    }

    /** A Writer that counts the characters and sums them up. */
    static final class Sum extends Writer {
        long characters, sum;

        @Override public void write(char[] text, int from, int length) {
            characters += length;
            for (int i = from; i < from + length; i++) sum = sum * 31 + text[i];
        }

        @Override public void flush() {}

        @Override public void close() {}
    }

    final Templates styleSheet;
    final String[] documents = new String[DISTINCT];
    final int threads, transformations;

    XalanRun(int threads, int transformations) throws TransformerException {
        this.threads = threads;
        this.transformations = transformations;
        styleSheet = TransformerFactory.newInstance(FACTORY, null)
                .newTemplates(new StreamSource(new StringReader(STYLE_SHEET)));
        for (int i = 0; i < DISTINCT; i++) documents[i] = document(i);
    }

    void serve(AtomicInteger next, AtomicLong checksum) {
        for (int number; (number = next.getAndIncrement()) < transformations; ) {
            Sum sum = new Sum();
            try {
                styleSheet.newTransformer().transform(
                        new StreamSource(new StringReader(documents[number % DISTINCT])), new StreamResult(sum));
            } catch (TransformerException failure) {
                throw new IllegalStateException(failure);
            }
            if (sum.characters == 0) throw new IllegalStateException("an empty report");
            checksum.addAndGet(sum.sum);
        }
    }

    @Override protected long work() {
        AtomicInteger next = new AtomicInteger();
        AtomicLong checksum = new AtomicLong();
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            all[i] = new Thread(() -> serve(next, checksum));
            all[i].start();
        }
        try {
            for (Thread each : all) each.join();
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
        return checksum.get();
    }

    public static void main(String[] arguments) throws TransformerException {
        int threads = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 2;
        int transformations = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 200;
        new XalanRun(threads, transformations).measure(arguments);
    }
}
