// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Readers and writers: lines, marks, push back, tokens, data and object streams, piped streams.
import java.io.*;

public class Readers {
    public static void main(String[] args) throws Exception {
        BufferedReader r = new BufferedReader(new StringReader("one\r\ntwo\rthree\n\nlast"), 4);
        r.mark(10);
        System.out.println(r.readLine());
        r.reset();
        System.out.println(r.lines().toList());
        StreamTokenizer t = new StreamTokenizer(new StringReader("x = 3.5 + 'str' // c\n foo"));
        t.slashSlashComments(true);
        while (t.nextToken() != StreamTokenizer.TT_EOF) System.out.print(t + " ");
        System.out.println();
        PushbackReader p = new PushbackReader(new StringReader("abc"), 2);
        p.unread(p.read() + 1);
        System.out.println((char) p.read());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream d = new DataOutputStream(bytes);
        d.writeUTF("\u0000\u00e9\ud83d\ude00");
        d.writeDouble(-0.0);
        d.writeLong(Long.MIN_VALUE);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        System.out.println(bytes.size() + " " + in.readUTF().length() + " " + in.readDouble() + " " + in.readLong());
        try {
            in.readInt();
        } catch (EOFException e) {
            System.out.println(e);
        }
        LineNumberReader l = new LineNumberReader(new CharArrayReader("a\nb\nc".toCharArray()));
        while (l.readLine() != null) { }
        System.out.println(l.getLineNumber());
        PipedWriter w = new PipedWriter();
        PipedReader pr = new PipedReader(w, 3);
        Thread writer = new Thread(() -> {
            try (w) {
                w.write("through a small pipe");
            } catch (IOException e) {
                System.out.println(e);
            }
        });
        writer.start();
        StringBuilder got = new StringBuilder();
        for (int c; (c = pr.read()) >= 0; ) got.append((char) c);
        writer.join();
        System.out.println(got);
        SequenceInputStream s = new SequenceInputStream(
                new ByteArrayInputStream(new byte[] {1, 2}), new ByteArrayInputStream(new byte[] {3}));
        System.out.println(s.readAllBytes().length);
        PrintStream ps = new PrintStream(new OutputStream() {
            public void write(int b) throws IOException {
                throw new IOException("full");
            }
        });
        ps.println("x");
        System.out.println(ps.checkError());
        RandomAccessFile f = new RandomAccessFile("raf", "rw");
        f.writeInt(7);
        f.seek(100);
        f.writeChars("hi");
        f.seek(0);
        System.out.println(f.length() + " " + f.readInt() + " " + f.getFilePointer() + " " + new File("raf").delete());
        f.setLength(2);
        System.out.println(f.length());
        f.close();
        try {
            f.read();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        try {
            new FileReader("nope.txt");
        } catch (FileNotFoundException e) {
            System.out.println(e.getMessage());
        }
    }
}
