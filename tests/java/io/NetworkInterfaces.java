// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// All that NetworkInterface reports about this machine, by enumeration, name, index and address; scopes of IPv6
// addresses.
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

public class NetworkInterfaces {
    static String scopeOf(InetAddress address) {
        if (!(address instanceof Inet6Address)) return "";
        Inet6Address six = (Inet6Address) address;
        return " scope " + six.getScopeId() + " of " + six.getScopedInterface();
    }

    static void show(NetworkInterface each, String indent) throws SocketException {
        System.out.println(indent + each + " index " + each.getIndex() + " display " + each.getDisplayName() + " mtu "
                + each.getMTU() + " mac " + Arrays.toString(each.getHardwareAddress()));
        System.out.println(indent + "  up " + each.isUp() + " loopback " + each.isLoopback() + " point to point "
                + each.isPointToPoint() + " multicast " + each.supportsMulticast() + " virtual " + each.isVirtual()
                + " parent " + each.getParent());
        for (InetAddress address : Collections.list(each.getInetAddresses()))
            System.out.println(indent + "  address " + address + scopeOf(address));
        for (InterfaceAddress binding : each.getInterfaceAddresses())
            System.out.println(indent + "  binding " + binding + " broadcast " + binding.getBroadcast() + " prefix "
                    + binding.getNetworkPrefixLength() + scopeOf(binding.getAddress()));
        for (NetworkInterface child : Collections.list(each.getSubInterfaces())) show(child, indent + "    ");
    }

    public static void main(String[] args) throws Exception {
        List<NetworkInterface> all = Collections.list(NetworkInterface.getNetworkInterfaces());
        for (NetworkInterface each : all) {
            show(each, "");
            System.out.println("  found: " + each.equals(NetworkInterface.getByName(each.getName())) + " "
                    + each.equals(NetworkInterface.getByIndex(each.getIndex())));
            for (InetAddress address : Collections.list(each.getInetAddresses()))
                System.out.println("  by address: " + NetworkInterface.getByInetAddress(address) + " "
                        + NetworkInterface.getByInetAddress(address).equals(each));
        }
        System.out.println(NetworkInterface.networkInterfaces().count() == all.size());
        System.out.println(NetworkInterface.getByName("nothing0") + " " + NetworkInterface.getByName("nothing0:1") + " "
                + NetworkInterface.getByIndex(0x7FFFFFFF));
        System.out.println(NetworkInterface.getByInetAddress(InetAddress.getByName("192.0.2.1")));
        NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        show(loopback, "");
        Inet6Address scoped = Inet6Address.getByAddress(null, InetAddress.getByName("fe80::1").getAddress(), 7);
        System.out.println(scoped + scopeOf(scoped));
        try {
            System.out.println(InetAddress.getByName("fe80::1%" + loopback.getName()));
        } catch (java.net.UnknownHostException e) {
            System.out.println(e);
        }
    }
}
