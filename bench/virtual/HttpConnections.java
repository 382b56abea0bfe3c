// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Many connections to one HTTP server. Each connection has a virtual thread in the server and one in the client.
//
//   HttpConnections serve                       prints its port and serves until its input ends
//   HttpConnections load PORT NUMBER REQUESTS   opens NUMBER connections, sends REQUESTS over each, one after the
//                                               other, and prints nanoseconds per request and the 99th percentile of
//                                               the time to its answer, in nanoseconds; a first round, as long, does
//                                               not count
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;

public class HttpConnections {
    static final byte[] REQUEST = "GET /count HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    static final AtomicLong served = new AtomicLong();

    // Returns the length of a message's head in the buffer, including the empty line, or -1 if the other side has
    // closed the connection.
    static int readHead(InputStream in, byte[] buffer) throws IOException {
        int length = 0;
        do {
            int read = in.read(buffer, length, buffer.length - length);
            if (read < 0) return -1;
            length += read;
        } while (length < END.length || !Arrays.equals(buffer, length - END.length, length, END, 0, END.length));
        return length;
    }

    static void answer(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            byte[] buffer = new byte[1024];
            while (readHead(in, buffer) >= 0) {
                String head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nCount: " + served.incrementAndGet() + "\r\n\r\n";
                out.write(head.getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }
    static void serve() throws Exception {
        ServerSocket server = new ServerSocket(0, 4096, InetAddress.getLoopbackAddress());
        System.out.println(server.getLocalPort());
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    Socket socket = server.accept();
                    Thread.startVirtualThread(() -> answer(socket));
                }
            } catch (IOException e) {
                e.printStackTrace();
            }
        });
        while (System.in.read() >= 0) {
        }
        System.exit(0);
    }

    static void load(int port, int connections, int requests) throws Exception {
        long[] times = new long[connections * requests];
        CyclicBarrier barrier = new CyclicBarrier(connections + 1);
        CountDownLatch ended = new CountDownLatch(connections);
        for (int i = 0; i < connections; i++) {
            int first = i * requests;
            Thread.startVirtualThread(() -> {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    byte[] buffer = new byte[1024];
                    for (int round = 0; round < 2; round++) {
                        barrier.await();
                        for (int k = 0; k < requests; k++) {
                            long begin = System.nanoTime();
                            socket.getOutputStream().write(REQUEST);
                            if (readHead(socket.getInputStream(), buffer) < 0) throw new IOException("closed");
                            times[first + k] = System.nanoTime() - begin;
                        }
                    }
                    ended.countDown();
                } catch (Exception e) {
                    e.printStackTrace();
                    System.exit(1);
                }
            });
        }
        barrier.await();
        barrier.await();
        long begin = System.nanoTime();
        ended.await();
        double nanoseconds = System.nanoTime() - begin;
        Arrays.sort(times);
        System.out.println("HTTP request, " + connections + " connections " + nanoseconds / times.length);
        System.out.println("HTTP 99th percentile, " + connections + " connections " + times[times.length / 100 * 99]);
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("serve")) serve();
        else load(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
    }
}
