// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The close of one socket lingers, because its peer does not read. Meanwhile other sockets are closed at once.
// jvm: -Djdk.net.usePlainSocketImpl=true

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

public class LingeringClose {
    public static void main(String[] arguments) throws Exception {
        ServerSocket server = new ServerSocket();
        server.setReceiveBufferSize(4096);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Socket lingering = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket silentPeer = server.accept();
        Socket other = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket otherPeer = server.accept();

        lingering.setSoLinger(true, 60);
        lingering.getOutputStream().write(new byte[128 << 10]);   // fits the send buffer, but not the receive buffer
        Thread closer = new Thread(() -> {
            try {
                lingering.close();
            } catch (Exception e) {
                System.out.println(e);
            }
        });
        closer.start();
        closer.join(500);
        System.out.println("lingers: " + closer.isAlive());
        other.close();
        System.out.println("the other is closed, and it still lingers: " + closer.isAlive());
        silentPeer.close();   // resets the connection
        closer.join();
        System.out.println("closed");
    }
}
