// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jvm: -Djdk.net.usePlainDatagramSocketImpl=true
// until: 17
//
// The old implementation of datagram sockets.
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.util.concurrent.Callable;

public class PlainDatagrams {
    static void show(String what, Callable<Object> action) {
        try {
            System.out.println(what + ": " + action.call());
        } catch (Throwable failure) {
            System.out.println(what + ": " + failure);
        }
    }

    static String received(DatagramSocket from, int room, int offset) throws Exception {
        DatagramPacket packet = new DatagramPacket(new byte[room + offset], offset, room);
        from.receive(packet);
        return new String(packet.getData(), packet.getOffset(), packet.getLength()) + " of " + packet.getLength()
                + " from " + packet.getAddress();
    }

    public static void main(String[] arguments) throws Exception {
        InetAddress here = InetAddress.getByName("127.0.0.1");
        DatagramSocket in = new DatagramSocket(0, here), out = new DatagramSocket();
        in.setSoTimeout(5000);
        byte[] text = "some text".getBytes();
        for (int room : new int[] {100, 9, 4, 0}) {
            out.send(new DatagramPacket(text, text.length, here, in.getLocalPort()));
            show("room " + room, () -> received(in, room, 3));
        }
        out.send(new DatagramPacket(text, 5, 4, here, in.getLocalPort()));
        show("part", () -> received(in, 100, 0));
        out.send(new DatagramPacket(new byte[0], 0, here, in.getLocalPort()));
        show("empty", () -> received(in, 100, 0));
        byte[] large = new byte[30000];
        large[29999] = 7;
        out.send(new DatagramPacket(large, large.length, here, in.getLocalPort()));
        show("large", () -> {
            DatagramPacket packet = new DatagramPacket(new byte[40000], 40000);
            in.receive(packet);
            return packet.getLength() + " " + packet.getData()[29999];
        });
        show("too large", () -> {
            out.send(new DatagramPacket(new byte[70000], 70000, here, in.getLocalPort()));
            return "sent";
        });
        in.setSoTimeout(50);
        show("late", () -> received(in, 10, 0));
        show("taken", () -> new DatagramSocket(in.getLocalPort(), here));
        show("elsewhere", () -> new DatagramSocket(0, InetAddress.getByName("192.0.2.1")));

        out.connect(here, in.getLocalPort());
        show("connected", () -> out.isConnected() + " " + out.getInetAddress());
        out.send(new DatagramPacket(text, text.length));
        show("from connected", () -> received(in, 100, 0));
        int port = out.getLocalPort();
        out.disconnect();
        show("disconnected", () -> out.isConnected() + " " + (out.getLocalPort() == port));
        DatagramSocket gone = new DatagramSocket(0, here);
        int free = gone.getLocalPort();
        gone.close();
        out.connect(here, free);
        out.setSoTimeout(500);
        show("to nobody", () -> {
            out.send(new DatagramPacket(text, text.length));
            return received(out, 10, 0);
        });
        out.disconnect();

        for (DatagramSocket socket : new DatagramSocket[] {in, out}) {
            show("bound", () -> socket.getLocalAddress());
            show("broadcast", () -> socket.getBroadcast());
            show("reuse", () -> {
                socket.setReuseAddress(true);
                return socket.getReuseAddress();
            });
            show("class", () -> {
                socket.setTrafficClass(8);
                return socket.getTrafficClass();
            });
            show("buffers", () -> {
                socket.setReceiveBufferSize(8192);
                socket.setSendBufferSize(9000);
                return socket.getReceiveBufferSize() + " " + socket.getSendBufferSize() + " " + socket.getSoTimeout();
            });
            show("port", () -> socket.setOption(StandardSocketOptions.SO_REUSEPORT, true)
                    .getOption(StandardSocketOptions.SO_REUSEPORT));
        }
        multicast();

        in.setSoTimeout(0);
        Thread closer = new Thread(() -> {
            try {
                Thread.sleep(100);
            } catch (InterruptedException ignored) {
            }
            in.close();
        });
        closer.start();
        show("closed meanwhile", () -> received(in, 10, 0));
        closer.join();
        out.close();
        show("closed", () -> {
            out.send(new DatagramPacket(text, text.length, here, 9));
            return "sent";
        });
        show("closed option", () -> out.getBroadcast());
    }

    static void multicast() throws Exception {
        NetworkInterface loopback = NetworkInterface.getByName("lo");
        InetAddress group = InetAddress.getByName("239.255.7.7");
        MulticastSocket socket = new MulticastSocket(0);
        show("hops", () -> socket.getTimeToLive());
        show("more hops", () -> {
            socket.setTimeToLive(5);
            return socket.getTimeToLive() + " " + socket.getTTL();
        });
        show("loop", () -> {
            boolean was = socket.getLoopbackMode();
            socket.setLoopbackMode(true);
            boolean is = socket.getLoopbackMode();
            socket.setLoopbackMode(false);
            return was + " " + is;
        });
        show("no interface", () -> socket.getNetworkInterface().getIndex());
        show("interface", () -> {
            socket.setNetworkInterface(loopback);
            return socket.getNetworkInterface();
        });
        show("by address", () -> {
            socket.setInterface(InetAddress.getByName("127.0.0.1"));
            return socket.getInterface() instanceof Inet4Address;
        });
        show("nobody's address", () -> {
            socket.setInterface(InetAddress.getByName("192.0.2.1"));
            return "set";
        });
        InetSocketAddress at = new InetSocketAddress(group, socket.getLocalPort());
        show("join", () -> {
            socket.joinGroup(at, loopback);
            return "joined";
        });
        show("join again", () -> {
            socket.joinGroup(at, loopback);
            return "joined";
        });
        show("to group", () -> {
            socket.setSoTimeout(5000);
            socket.send(new DatagramPacket("hello".getBytes(), 5, at));
            return received(socket, 10, 0).replaceAll(" from .*", "");
        });
        show("leave", () -> {
            socket.leaveGroup(at, loopback);
            return "left";
        });
        show("leave again", () -> {
            socket.leaveGroup(at, loopback);
            return "left";
        });
        socket.close();
    }
}
