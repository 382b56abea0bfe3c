// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sockets, datagrams, selectors, addresses.
import java.io.*;
import java.net.*;
import java.nio.*;
import java.nio.channels.*;

public class Sockets {
    public static void main(String[] a) throws Exception {
        System.out.println(
                InetAddress.getLoopbackAddress()
                        + " "
                        + InetAddress.getByName("127.0.0.1")
                        + " "
                        + InetAddress.getByName("::1"));
        System.out.println(InetAddress.getLocalHost() != null);
        try (ServerSocket ss = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread t =
                    new Thread(
                            () -> {
                                try (Socket s = ss.accept()) {
                                    BufferedReader r =
                                            new BufferedReader(
                                                    new InputStreamReader(s.getInputStream()));
                                    String l = r.readLine();
                                    s.getOutputStream().write(("echo " + l + "\n").getBytes());
                                } catch (IOException e) {
                                    e.printStackTrace();
                                }
                            });
            t.start();
            try (Socket s = new Socket(InetAddress.getLoopbackAddress(), ss.getLocalPort())) {
                s.setTcpNoDelay(true);
                s.getOutputStream().write("hi\n".getBytes());
                System.out.println(
                        new BufferedReader(new InputStreamReader(s.getInputStream())).readLine());
            }
            t.join();
        }
        try {
            new Socket("127.0.0.1", 1).close();
        } catch (IOException e) {
            System.out.println(e);
        }
        try (DatagramSocket d = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                DatagramSocket e = new DatagramSocket()) {
            e.send(new DatagramPacket("dg".getBytes(), 2, d.getLocalSocketAddress()));
            DatagramPacket p = new DatagramPacket(new byte[10], 10);
            d.receive(p);
            System.out.println(new String(p.getData(), 0, p.getLength()));
        }
        Selector sel = Selector.open();
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        pipe.source().register(sel, SelectionKey.OP_READ);
        pipe.sink().write(ByteBuffer.wrap(new byte[] {1}));
        System.out.println(sel.select(1000));
        sel.close();
        System.out.println(
                java.util.Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                        .anyMatch(
                                n -> {
                                    try {
                                        return n.isLoopback();
                                    } catch (Exception x) {
                                        return false;
                                    }
                                }));
        System.out.println(
                new URL("http://example.org:80/a?b#c").getPath()
                        + " "
                        + URI.create("http://x/y").resolve("z"));
    }
}
