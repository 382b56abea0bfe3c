// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// InetAddress.isReachable: this machine, through an interface, with a limit of hops; unused addresses; wrong arguments.
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.concurrent.Callable;

public class Reachability {
    static void show(String what, Callable<Object> action) {
        try {
            System.out.println(what + ": " + action.call());
        } catch (Throwable failure) {
            System.out.println(what + ": " + failure);
        }
    }

    public static void main(String[] arguments) throws Exception {
        NetworkInterface loopback = NetworkInterface.getByName("lo");
        for (String name : new String[] {"127.0.0.1", "127.1.2.3", "::1", "0.0.0.0", "240.0.0.1"}) {
            InetAddress address = InetAddress.getByName(name);
            show(name, () -> address.isReachable(400));
            show(name + " by loopback", () -> address.isReachable(loopback, 3, 400));
            show(name + " without limit", () -> address.isReachable(null, 0, 300));
        }
        show("negative time", () -> InetAddress.getByName("127.0.0.1").isReachable(-1));
        show("negative hops", () -> InetAddress.getByName("127.0.0.1").isReachable(null, -1, 10));
    }
}
