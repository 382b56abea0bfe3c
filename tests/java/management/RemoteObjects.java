// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// RMI on the loopback within one program: registry, a remote call, a callback, an exception of the remote method,
// distributed collection; JMX over RMI.
// stress: no
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteServer;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;

public class RemoteObjects {
    public interface Listener extends Remote {
        void heard(String text) throws RemoteException;
    }

    public interface Desk extends Remote {
        Map<String, Integer> count(String... words) throws RemoteException;
        void tell(Listener listener, String text) throws RemoteException;
        int divide(int a, int b) throws RemoteException;
        Desk another() throws RemoteException;
    }

    static class DeskImpl implements Desk {
        static WeakReference<Desk> last;
        static Map<String, Integer> counted(String... words) {
            Map<String, Integer> counts = new TreeMap<>();
            for (String word : words) counts.merge(word, 1, Integer::sum);
            return counts;
        }
        public Map<String, Integer> count(String... words) { return counted(words); }
        public void tell(Listener listener, String text) throws RemoteException { listener.heard("told " + text); }
        public int divide(int a, int b) { return a / b; }
        public Desk another() throws RemoteException {
            DeskImpl made = new DeskImpl();
            last = new WeakReference<>(made);
            return (Desk) UnicastRemoteObject.exportObject(made, 0);
        }
    }

    public static void main(String[] args) {
        try {
            run();
        } catch (Throwable e) {
            e.printStackTrace(System.out);
        }
        System.exit(0);   // objects that are still exported would keep the program alive
    }

    static void run() throws Exception {
        System.setProperty("java.rmi.server.hostname", InetAddress.getLoopbackAddress().getHostAddress());
        java.net.ServerSocket free = new java.net.ServerSocket(0);
        int port = free.getLocalPort();
        free.close();
        Registry own = LocateRegistry.createRegistry(port);
        DeskImpl desk = new DeskImpl();
        own.rebind("desk", UnicastRemoteObject.exportObject(desk, 0));

        Registry registry = LocateRegistry.getRegistry(InetAddress.getLoopbackAddress().getHostAddress(), port);
        System.out.println(Arrays.toString(registry.list()));
        Desk remote = (Desk) registry.lookup("desk");
        System.out.println(remote.getClass() == desk.getClass() ? "same class" : "a proxy");
        System.out.println(remote.count("b", "a", "b"));
        Listener listener =
                text -> System.out.println("heard: " + text + ", called by a client: " + isCalledByClient());
        remote.tell((Listener) UnicastRemoteObject.exportObject(listener, 0), "everything");
        try {
            remote.divide(1, 0);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            registry.lookup("chair");
        } catch (NotBoundException e) {
            System.out.println(e);
        }
        try {
            UnicastRemoteObject.unexportObject(new DeskImpl(), true);
        } catch (NoSuchObjectException e) {
            System.out.println(e.getMessage());
        }
        Desk temporary = remote.another();
        System.out.println(temporary.divide(6, 3) + " " + (DeskImpl.last.get() != null));
        System.out.println("collector of distributed objects runs: "
                + Thread.getAllStackTraces().keySet().stream().anyMatch(t -> t.getName().equals("GC Daemon")));

        JMXServiceURL address = new JMXServiceURL("service:jmx:rmi://127.0.0.1");
        JMXConnectorServer server = JMXConnectorServerFactory.newJMXConnectorServer(
                address, null, ManagementFactory.getPlatformMBeanServer());
        server.start();
        try (JMXConnector connector = JMXConnectorFactory.connect(server.getAddress())) {
            MBeanServerConnection beans = connector.getMBeanServerConnection();
            System.out.println(beans.getDefaultDomain() + " "
                    + beans.getAttribute(new ObjectName("java.lang:type=Runtime"), "SpecVersion"));
        }
        server.stop();
        System.out.println(UnicastRemoteObject.unexportObject(desk, true) + " "
                + UnicastRemoteObject.unexportObject(listener, true));
        try {
            remote.count("late");
        } catch (NoSuchObjectException e) {
            System.out.println("no longer there");
        }
        UnicastRemoteObject.unexportObject(own, true);
    }

    static boolean isCalledByClient() {
        try {
            return RemoteServer.getClientHost() != null;
        } catch (java.rmi.server.ServerNotActiveException e) {
            return false;
        }
    }
}
