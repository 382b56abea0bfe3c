// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A debugger that redefines a class while one of its methods is in a frame, and gets an event when a class dies.
//
//   java Changes <java to debug> <options of the VM>...
import com.sun.jdi.*;
import com.sun.jdi.connect.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.io.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;
import javax.tools.*;

public class Changes {
    static byte[] compile(String source) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavaFileManager files = new ForwardingJavaFileManager<>(compiler.getStandardFileManager(null, null, null)) {
            @Override
            public JavaFileObject getJavaFileForOutput(
                    Location place, String name, JavaFileObject.Kind kind, FileObject of) {
                return new SimpleJavaFileObject(URI.create("string:///" + name.replace('$', '_') + ".class"), kind) {
                    @Override
                    public OutputStream openOutputStream() {
                        return name.equals("Changed") ? bytes : new ByteArrayOutputStream();
                    }
                };
            }
        };
        JavaFileObject unit = new SimpleJavaFileObject(
                URI.create("string:///Changed.java"), JavaFileObject.Kind.SOURCE) {
            @Override public CharSequence getCharContent(boolean ignored) {
                return source;
            }
        };
        if (!compiler.getTask(null, files, null, List.of("-g"), null, List.of(unit)).call()) throw new Error(source);
        return bytes.toByteArray();
    }

    static void redefine(VirtualMachine vm, ReferenceType type, String what, byte[] bytes) {
        try {
            vm.redefineClasses(Map.of(type, bytes));
            System.out.println(what + " redefined");
        } catch (Throwable e) {
            System.out.println(what + " " + e);
        }
    }

    static void show(ThreadReference thread) throws Exception {
        for (StackFrame frame : thread.frames()) {
            Method method = frame.location().method();
            if (!frame.location().declaringType().name().equals("Changed")) continue;
            String name = method.isObsolete() ? "obsolete" : method.name() + ":" + frame.location().lineNumber();
            System.out.println("  frame " + name);
        }
    }

    public static void main(String[] words) throws Exception {
        String source = Files.readString(Path.of(System.getProperty("source")));
        ListeningConnector connector = Bootstrap.virtualMachineManager().listeningConnectors().stream()
            .filter(each -> each.name().equals("com.sun.jdi.SocketListen")).findFirst().get();
        Map<String, Connector.Argument> settings = connector.defaultArguments();
        List<String> command = new ArrayList<>(List.of(words));
        command.add(1, "-agentlib:jdwp=transport=dt_socket,address=" + connector.startListening(settings));
        command.addAll(List.of("-cp", ".", "Changed"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        VirtualMachine vm = connector.accept(settings);
        EventRequestManager requests = vm.eventRequestManager();
        for (String name : List.of("Ready", "Later")) {
            ClassPrepareRequest prepare = requests.createClassPrepareRequest();
            prepare.addClassFilter(name);
            prepare.enable();
        }
        ClassUnloadRequest unload = requests.createClassUnloadRequest();
        unload.addClassFilter("Forg*");
        unload.enable();
        StringBuilder output = new StringBuilder();
        Thread reader =
                new Thread(() -> process.inputReader().lines().forEach(line -> output.append("> " + line + "\n")));
        reader.start();
        try {
            for (;;) {
                EventSet set = vm.eventQueue().remove();
                for (Event event : set) {
                    if (event instanceof ClassUnloadEvent dead)
                        System.out.println("unloaded " + dead.className() + " " + dead.classSignature());
                    if (!(event instanceof ClassPrepareEvent prepared)
                            || !prepared.referenceType().name().equals("Ready"))
                        continue;
                    ReferenceType type = vm.classesByName("Changed").get(0);
                    show(prepared.thread());
                    redefine(vm, type, "garbage", new byte[] {1, 2, 3});
                    redefine(vm, type, "truncated", Arrays.copyOf(compile(source), 300));
                    redefine(vm, type, "method added",
                            compile(source.replace("static int value()", "static void more() {} static int value()")));
                    redefine(vm, type, "method deleted",
                            compile(source.replace("static int value() { return 1; }", "").replace("value()", "1")));
                    redefine(vm, type, "field added",
                            compile(source.replace("static int value()", "static int more; static int value()")));
                    redefine(vm, type, "superclass",
                            compile(source.replace("class Changed {", "class Changed extends Ready {")));
                    redefine(vm, type, "method modifiers",
                            compile(source.replace("static int value()", "public static int value()")));
                    redefine(vm, type, "class modifiers",
                            compile(source.replace("public class Changed", "public final class Changed")));
                    show(prepared.thread());
                    redefine(vm, type, "the same", compile(source));
                    show(prepared.thread());
                    redefine(vm, type, "another value",
                            compile(source.replace("return 1;", "return 2;")
                                            .replace("return kept +", "return 1000 + kept +")));
                    System.out.println("  frames " + prepared.thread().frameCount());
                    ((ClassType) type).setValue(type.fieldByName("phase"), vm.mirrorOf(1));
                }
                set.resume();
            }
        } catch (VMDisconnectedException e) { System.out.println("disconnected"); }
        reader.join();
        System.out.print(output + "exit " + process.waitFor() + "\n");
    }
}
