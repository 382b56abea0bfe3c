// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sockets without channels (-Djdk.net.usePlainSocketImpl): data both ways, options, time limits, refusals, resets, and
// sockets that are closed while another thread waits.
// jvm: -Djdk.net.usePlainSocketImpl=true
// until: 17
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

public class PlainSockets {
    static volatile String accepted;

    interface Action {
        Object run() throws Exception;
    }

    static void show(String what, Action action) {
        try {
            System.out.println(what + ": " + action.run());
        } catch (Exception e) {
            System.out.println(what + ": " + e);
        }
    }

    static void untilInNative(Thread thread, String method) throws InterruptedException {
        while (true) {
            StackTraceElement[] frames = thread.getStackTrace();
            if (frames.length != 0 && frames[0].isNativeMethod() && frames[0].getMethodName().equals(method)) return;
            Thread.sleep(1);   // looks again
        }
    }

    static Thread start(String what, Action action) {
        Thread thread = new Thread(() -> show(what, action));
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        ServerSocket server = new ServerSocket(0, 5, loopback);
        int port = server.getLocalPort();
        System.out.println(server.getInetAddress() + " " + (port > 0) + " " + server.getReuseAddress());

        Thread echo = new Thread(() -> {
            try (Socket socket = server.accept()) {
                accepted = "accepted from " + socket.getInetAddress() + " " + (socket.getLocalPort() == port);
                InputStream in = socket.getInputStream();
                OutputStream out = socket.getOutputStream();
                byte[] buffer = new byte[300_000];
                for (int n; (n = in.read(buffer)) > 0; ) out.write(buffer, 0, n);
            } catch (IOException e) {
                System.out.println(e);
            }
        });
        echo.start();
        try (Socket socket = new Socket(loopback, port)) {
            System.out.println(socket.getInetAddress() + " " + (socket.getPort() == port) + " "
                    + socket.getLocalAddress() + " " + (socket.getLocalPort() > 0));
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            out.writeUTF("something");
            System.out.println(in.readUTF());
            byte[] large = new byte[1_000_000];
            for (int i = 0; i < large.length; i++) large[i] = (byte) (i * 31 >> 3);
            byte[] back = new byte[large.length];
            Thread reader = new Thread(() -> {
                try {
                    in.readFully(back);
                } catch (IOException e) {
                    System.out.println(e);
                }
            });
            reader.start();
            out.write(large);
            reader.join();
            System.out.println(Arrays.equals(large, back) + " " + socket.getInputStream().available());
            socket.setSoTimeout(50);
            show("late", in::read);
            socket.setSoTimeout(0);
            socket.shutdownOutput();
            System.out.println("the end: " + in.read());
            show("after shutdown", () -> { socket.getOutputStream().write(1); return null; });
        }
        echo.join();
        System.out.println(accepted);

        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        socket.setOOBInline(true);
        socket.setReuseAddress(true);
        socket.setSoLinger(true, 7);
        socket.setTrafficClass(0x10);
        socket.setReceiveBufferSize(9000);
        socket.setSendBufferSize(9000);
        System.out.println(socket.getTcpNoDelay() + " " + socket.getKeepAlive() + " " + socket.getOOBInline() + " "
                + socket.getReuseAddress() + " " + socket.getSoLinger() + " " + socket.getTrafficClass() + " "
                + socket.getReceiveBufferSize() + " " + socket.getSendBufferSize());
        socket.setSoLinger(false, 0);
        socket.setTcpNoDelay(false);
        System.out.println(socket.getSoLinger() + " " + socket.getTcpNoDelay() + " "
                + socket.getOption(StandardSocketOptions.SO_REUSEPORT));
        socket.bind(new InetSocketAddress(loopback, 0));
        System.out.println(socket.getLocalAddress() + " " + (socket.getLocalPort() > 0) + " " + socket.isBound());
        socket.close();

        ServerSocket taken = new ServerSocket(0, 1, loopback);
        show("bound twice", () -> new ServerSocket(taken.getLocalPort(), 1, loopback));
        taken.setSoTimeout(50);
        show("nobody", taken::accept);
        int free = taken.getLocalPort();
        taken.close();
        show("refused", () -> new Socket(loopback, free));
        show("refused in time", () -> {
            new Socket().connect(new InetSocketAddress(loopback, free), 1000);
            return null;
        });
        show("closed", taken::accept);

        // The other end resets.
        Socket client = new Socket(loopback, port);
        Socket served = server.accept();
        served.setSoLinger(true, 0);
        served.close();
        show("reset", () -> client.getInputStream().read());
        show("reset again", () -> client.getInputStream().read());
        client.close();
        show("closed", () -> client.getInputStream());

        // With OOBInline, urgent data is received among the ordinary data.
        Socket urgent = new Socket(loopback, port);
        Socket receiver = server.accept();
        receiver.setOOBInline(true);
        urgent.sendUrgentData('!');
        System.out.println((char) receiver.getInputStream().read());
        urgent.close();
        receiver.close();

        // A socket is closed while a thread waits to read, to write, or to accept.
        Socket waiting = new Socket(loopback, port);
        Socket silent = server.accept();
        Thread reader = start("read", () -> waiting.getInputStream().read());
        untilInNative(reader, "socketRead0");
        waiting.close();
        reader.join();
        System.out.println("seen by the other: " + silent.getInputStream().read());
        silent.close();

        Socket full = new Socket(loopback, port);
        Socket deaf = server.accept();
        CountDownLatch written = new CountDownLatch(1);
        OutputStream pipe = full.getOutputStream();
        Thread writer = start("write", () -> {
            byte[] bytes = new byte[100_000];
            while (true) {
                pipe.write(bytes);
                written.countDown();
            }
        });
        written.await();
        untilInNative(writer, "socketWrite0");
        full.close();
        writer.join();
        deaf.close();

        Thread acceptor = start("accept", server::accept);
        untilInNative(acceptor, "socketAccept");
        server.close();
        acceptor.join();
    }
}
