// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// SocketChannel and ServerSocketChannel on the loopback: blocking, with a selector, with timeouts, and closed while
// another thread waits.
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;

public class SocketChannels {
    /**
     * Waits until the thread is in accept(). If accept() began on a closed channel, it would throw another exception.
     */
    static void untilInAccept(Thread thread) throws InterruptedException {
        while (true) {
            StackTraceElement[] frames = thread.getStackTrace();
            if (frames.length != 0 && frames[0].isNativeMethod() && frames[0].getClassName().equals("sun.nio.ch.Net"))
                return;
            Thread.sleep(1);   // looks again
        }
    }

    public static void main(String[] args) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0));
        server.configureBlocking(false);
        Selector selector = Selector.open();
        server.register(selector, SelectionKey.OP_ACCEPT);
        Thread echo = new Thread(() -> {
            try {
                int closed = 0;
                while (closed < 3) {
                    selector.select();
                    for (Iterator<SelectionKey> it = selector.selectedKeys().iterator(); it.hasNext(); ) {
                        SelectionKey key = it.next();
                        it.remove();
                        if (key.isAcceptable()) {
                            SocketChannel c = server.accept();
                            c.configureBlocking(false);
                            c.register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(64));
                        } else if (key.isReadable()) {
                            ByteBuffer b = (ByteBuffer) key.attachment();
                            SocketChannel c = (SocketChannel) key.channel();
                            if (c.read(b) < 0) {
                                c.close();
                                closed++;
                            } else {
                                b.flip();
                                c.write(b);
                                b.clear();
                            }
                        }
                    }
                }
            } catch (IOException e) {
                e.printStackTrace();
            }
        });
        echo.start();
        for (int i = 0; i < 3; i++) {
            try (SocketChannel c = SocketChannel.open(server.getLocalAddress())) {
                c.write(ByteBuffer.wrap(("hello " + i).getBytes()));
                ByteBuffer in = ByteBuffer.allocate(7);
                while (in.hasRemaining()) c.read(in);
                System.out.println(new String(in.array()) + " " + c.isConnected() + " " + c.isBlocking());
            }
        }
        echo.join();
        server.close();
        selector.close();
        try {
            server.accept();
        } catch (ClosedChannelException e) {
            System.out.println(e);
        }
        ServerSocketChannel waiting = ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0));
        Thread acceptor = new Thread(() -> {
            try {
                waiting.accept();
            } catch (AsynchronousCloseException e) {
                System.out.println("closed");
            } catch (IOException e) {
                System.out.println(e);
            }
        });
        acceptor.start();
        untilInAccept(acceptor);
        waiting.close();
        acceptor.join();
        try (ServerSocket ss = new ServerSocket(0, 1, loopback)) {
            ss.setSoTimeout(20);
            try {
                ss.accept();
            } catch (SocketTimeoutException e) {
                System.out.println(e.getMessage());
            }
            Thread main = Thread.currentThread();
            Thread closer = new Thread(() -> {
                try {
                    untilInAccept(main);
                    ss.close();
                } catch (Exception e) {
                    System.out.println(e);
                }
            });
            ss.setSoTimeout(0);
            closer.start();
            try {
                ss.accept();
            } catch (SocketException e) {
                System.out.println(e.getMessage());
            }
            closer.join();
        }
        try (ServerSocket ss = new ServerSocket(0, 1, loopback); Socket a = new Socket(loopback, ss.getLocalPort());
                Socket b = ss.accept()) {
            a.setSoTimeout(20);
            try {
                a.getInputStream().read();
            } catch (SocketTimeoutException e) {
                System.out.println(e.getMessage());
            }
            b.shutdownOutput();
            a.setSoTimeout(0);
            System.out.println(a.getInputStream().read() + " " + a.isInputShutdown() + " " + b.isOutputShutdown() + " "
                    + a.getInetAddress().isLoopbackAddress() + " " + (a.getPort() == ss.getLocalPort()));
        }
        try {
            InetAddress.getByName("no.such.host.invalid");
        } catch (java.net.UnknownHostException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(InetAddress.getByAddress(new byte[] {1, 2, 3, 4}) + " "
                + InetAddress.getByName("::ffff:1.2.3.4") + " " + new InetSocketAddress("127.0.0.1", 80) + " "
                + InetSocketAddress.createUnresolved("h", 1) + " "
                + InetAddress.getByName("localhost").isLoopbackAddress());
    }
}
