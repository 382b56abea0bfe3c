// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Clients of an HTTP service on this machine. Each client is a thread with one connection, over which it sends many
// requests. The digest covers all answers.
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

final class HttpClients {
    private HttpClients() {}

    /** Requests the pages /0, /1 ... in `threads` threads. Returns the sum of the digests of the answers. */
    static long ask(int port, int threads, int requests) throws Exception {
        long[] sums = new long[threads];
        Workload.inThreads(threads, number -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setTcpNoDelay(true);
                OutputStream out = socket.getOutputStream();
                InputStream in = new BufferedInputStream(socket.getInputStream());
                for (int i = number; i < requests; i += threads) {
                    String request = "GET /" + i + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/plain\r\n\r\n";
                    out.write(request.getBytes(StandardCharsets.ISO_8859_1));
                    out.flush();
                    sums[number] += Workload.mixed(i, answer(in));
                }
            }
        });
        long sum = 0;
        for (long each : sums) sum += each;
        return sum;
    }

    private static String answer(InputStream in) throws IOException {
        int length = 0;
        String line = line(in);
        if (!line.startsWith("HTTP/1.1 200")) throw new IOException(line);
        while (!(line = line(in)).isEmpty())
            if (line.toLowerCase().startsWith("content-length:")) length = Integer.parseInt(line.substring(15).trim());
        if (length == 0) throw new IOException("an answer without length");
        return new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next; (next = in.read()) != '\n'; ) {
            if (next < 0) throw new IOException("the connection was closed");
            if (next != '\r') line.append((char) next);
        }
        return line.toString();
    }

    /** Returns the page with which the services answer. Writing it takes some work. */
    static String page(int number) {
        StringBuilder page = new StringBuilder("<page number='").append(number).append("'>");
        for (int i = 0; i < 40; i++)
            page.append("<item id='").append(i).append("'>").append(Integer.toHexString(number * 31 + i * 7919))
                    .append("</item>\n");
        return page.append("</page>").toString();
    }
}
