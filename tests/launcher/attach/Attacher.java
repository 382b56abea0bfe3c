// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A tool in Java: attaches by com.sun.tools.attach to the VM whose process id is the first argument. The second one
// is a port for JMX, or "agents" before pairs of an agent's jar and its options. -Dlocal=true: also uses local JMX.
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadMXBean;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

public class Attacher {
    interface Body { Object run() throws Exception; }

    static void show(String what, Body body) {
        try {
            System.out.println(what + ": " + body.run());
        } catch (Exception e) {
            System.out.println(what + ": " + e);
        }
    }

    // Returns the results of JMX queries to the VM that the tool inspects.
    static String ask(String address, String process) throws Exception {
        try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address))) {
            MBeanServerConnection server = connector.getMBeanServerConnection();
            RuntimeMXBean runtime = ManagementFactory.newPlatformMXBeanProxy(
                    server, ManagementFactory.RUNTIME_MXBEAN_NAME, RuntimeMXBean.class);
            ThreadMXBean threads = ManagementFactory.newPlatformMXBeanProxy(
                    server, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
            boolean holder = false;
            for (var info : threads.dumpAllThreads(true, true))
                holder |= info.getThreadName().equals("holder") && info.getLockedMonitors().length == 1;
            return runtime.getName().startsWith(process + "@") + " " + holder;
        }
    }

    public static void main(String[] arguments) throws Exception {
        String process = arguments[0];
        if (arguments.length > 2) {
            VirtualMachine vm = VirtualMachine.attach(process);
            for (int i = 2; i < arguments.length; i += 2) {
                String jar = arguments[i], options = arguments[i + 1];
                show("agent", () -> {
                    vm.loadAgent(jar, options.isEmpty() ? null : options);
                    return "loaded";
                });
            }
            vm.detach();
            return;
        }
        if (arguments.length > 1) {
            show("remote", () -> ask("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + arguments[1] + "/jmxrmi", process));
            return;
        }
        for (VirtualMachineDescriptor each : VirtualMachine.list())
            if (each.id().equals(process))
                System.out.println("listed: " + each.displayName());
        VirtualMachine vm = VirtualMachine.attach(process);
        show("property", () -> vm.getSystemProperties().getProperty("some.name"));
        show("command", () -> vm.getAgentProperties().getProperty("sun.java.command"));
        show("arguments", () -> vm.getAgentProperties().getProperty("sun.jvm.args"));
        String address = vm.startLocalManagementAgent();
        show("again", () -> vm.startLocalManagementAgent().equals(address));
        show("local", () -> ask(address, process));
        vm.detach();
        show("detached", () -> vm.getSystemProperties());
        show("no such process", () -> VirtualMachine.attach("99999999"));
        show("myself", () -> VirtualMachine.attach("" + ProcessHandle.current().pid()));
    }
}
