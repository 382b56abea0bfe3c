// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A debugger: starts a VM, looks at Debuggee, changes it, and prints what it sees.
//
//   java Facts <java to debug> launch|attach <options of the VM>...     launch: the VM connects; attach: it listens
import com.sun.jdi.*;
import com.sun.jdi.connect.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.io.*;
import java.util.*;
import java.util.stream.*;

public class Facts {
    static void say(String text) { System.out.println(text); }
    static String name(Object connector) { return ((Connector) connector).name(); }

    static String show(Value value) {
        if (value instanceof StringReference string) return "\"" + string.value() + "\"";
        if (value instanceof ArrayReference array)
            return array.type().name() + array.getValues().stream().map(Facts::show).collect(Collectors.toList());
        if (value instanceof ClassObjectReference type) return "class " + type.reflectedType().name();
        if (value instanceof ThreadReference thread) return "thread " + thread.name();
        if (value instanceof ObjectReference object) return "a " + object.referenceType().name();
        return String.valueOf(value);
    }

    static <T> T await(java.util.function.Supplier<T> condition) throws Exception {
        for (int i = 0; i < 2000; i++) {
            T found = condition.get();
            if (found != null) return found;
            Thread.sleep(10);
        }
        throw new Error("in vain");
    }

    static ThreadReference thread(VirtualMachine vm, String name) {
        return vm.allThreads().stream().filter(each -> each.name().equals(name)).findFirst().get();
    }

    static void showFrames(ThreadReference thread) throws Exception {
        for (StackFrame frame : thread.frames()) {
            Location place = frame.location();
            if (!place.declaringType().name().startsWith("Debuggee") || place.declaringType().name().contains("Lambda")
                    || place.method().name().startsWith("lambda$"))
                continue;
            say("  " + place.declaringType().name() + "." + place.method().name() + place.method().signature() + " "
                    + place.sourceName() + ":" + place.lineNumber());
            say("    this " + show(frame.thisObject()));
            Map<LocalVariable, Value> values = frame.getValues(frame.visibleVariables());
            for (LocalVariable variable : frame.visibleVariables())
                say("    " + variable.typeName() + " " + variable.name() + (variable.isArgument() ? " (argument)" : "")
                        + " = " + show(values.get(variable)));
        }
    }

    static void showType(ReferenceType type) throws Exception {
        say(type.name() + " " + type.signature() + " " + Integer.toHexString(type.modifiers()) + " " + type.isPrepared()
                + type.isInitialized() + type.isVerified() + " " + type.majorVersion() + "." + type.minorVersion());
        say("  in " + type.sourceName() + ", of " + show(type.classLoader()) + ", " + type.module().name() + ", static "
                + type.isStatic() + ", " + type.classObject().reflectedType().name());
        if (type instanceof ClassType c)
            say("  extends " + c.superclass().name() + " implements "
                    + c.interfaces().stream().map(ReferenceType::name).collect(Collectors.toList()) + " enum "
                    + c.isEnum());
        for (Field field : type.fields()) {
            say("  field " + field + " " + field.typeName() + " " + Integer.toHexString(field.modifiers())
                    + (field.isStatic() ? " = " + show(type.getValue(field)) : ""));
        }
        for (Method method : type.methods()) {
            String lines = "";
            try {
                lines = method.allLineLocations()
                                .stream()
                                .map(l -> l.codeIndex() + ":" + l.lineNumber())
                                .collect(Collectors.joining(" "));
            } catch (AbsentInformationException e) {
                lines = "absent";
            }
            String variables = "";
            try {
                variables = method.variables().toString();
            } catch (AbsentInformationException e) {
                variables = "absent";
            }
            say("  method " + method + " " + Integer.toHexString(method.modifiers()) + " " + method.bytecodes().length
                    + " lines " + lines + " variables " + variables);
        }
    }

    static VirtualMachine start(List<String> command, boolean attach, List<Process> started) throws Exception {
        VirtualMachineManager manager = Bootstrap.virtualMachineManager();
        List<String> line = new ArrayList<>(command);
        if (attach) {
            line.add(1, "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y");
            Process process = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            started.add(process);
            String said = "";
            for (int c; (c = process.getInputStream().read()) != '\n' && c >= 0; ) said += (char) c;
            say(said.replaceAll("[0-9]+", "N"));
            AttachingConnector connector = manager.attachingConnectors()
                                                   .stream()
                                                   .filter(each -> name(each).equals("com.sun.jdi.SocketAttach"))
                                                   .findFirst()
                                                   .get();
            Map<String, Connector.Argument> arguments = connector.defaultArguments();
            arguments.get("port").setValue(said.replaceAll("[^0-9]", ""));
            return connector.attach(arguments);
        }
        ListeningConnector connector = manager.listeningConnectors()
                                               .stream()
                                               .filter(each -> name(each).equals("com.sun.jdi.SocketListen"))
                                               .findFirst()
                                               .get();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        String address = connector.startListening(arguments);
        line.add(1, "-agentlib:jdwp=transport=dt_socket,address=" + address);
        started.add(new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start());
        VirtualMachine vm = connector.accept(arguments);
        connector.stopListening(arguments);
        return vm;
    }

    public static void main(String[] words) throws Exception {
        List<String> command = new ArrayList<>(List.of(words[0]));
        command.addAll(Arrays.asList(words).subList(2, words.length));
        command.add("Debuggee");
        List<Process> started = new ArrayList<>();
        VirtualMachine vm = start(command, words[1].equals("attach"), started);
        Process process = started.get(0);
        StringBuilder output = new StringBuilder();
        Thread reader = new Thread(()
                                           -> process.inputReader(java.nio.charset.StandardCharsets.UTF_8)
                                                   .lines()
                                                   .forEach(each -> output.append("> " + each + "\n")));
        reader.start();
        say("redefine " + vm.canRedefineClasses() + " death " + vm.canRequestVMDeathEvent() + " bytecodes "
                + vm.canGetBytecodes() + " monitors " + vm.canGetOwnedMonitorInfo());

        EventQueue queue = vm.eventQueue();
        EventRequestManager requests = vm.eventRequestManager();
        EventSet first = queue.remove();
        say(first.eventIterator().next().getClass().getSimpleName() + " " + first.suspendPolicy() + " "
                + vm.allThreads().stream().allMatch(ThreadReference::isSuspended));
        ClassPrepareRequest prepare = requests.createClassPrepareRequest();
        prepare.addClassFilter("Mark*");
        prepare.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        prepare.enable();
        ThreadStartRequest starts = requests.createThreadStartRequest();
        starts.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        starts.enable();
        VMDeathRequest death = requests.createVMDeathRequest();
        death.setSuspendPolicy(EventRequest.SUSPEND_NONE);
        death.enable();
        first.resume();

        List<String> begun = new ArrayList<>();
        ClassPrepareEvent prepared = null;
        while (prepared == null) {
            EventSet set = queue.remove();
            for (Event event : set) {
                if (event instanceof ThreadStartEvent start)
                    begun.add(start.thread().name() + " suspended " + start.thread().suspendCount());
                if (event instanceof ClassPrepareEvent p) prepared = p;
            }
            if (prepared == null) set.resume();
            else
                say("prepared " + prepared.referenceType().name() + " by " + prepared.thread().name() + " policy "
                        + set.suspendPolicy());
        }
        begun.removeIf(each -> !each.matches("(holder|spinner|victim) .*"));
        Collections.sort(begun);
        say("begun " + begun);
        starts.disable();

        for (String each : List.of("main", "holder", "spinner", "victim", "Finalizer", "Reference Handler")) {
            ThreadReference thread = thread(vm, each);
            int status = thread.status();
            say(each + " status " + (each.equals("main") ? 1 : status) + " suspended " + thread.isSuspended()
                    + thread.suspendCount() + " group " + thread.threadGroup().name() + " in "
                    + (thread.threadGroup().parent() == null ? null : thread.threadGroup().parent().name()));
        }
        for (ThreadGroupReference group : vm.topLevelThreadGroups())
            say("top " + group.name() + " "
                    + group.threadGroups()
                            .stream()
                            .map(ThreadGroupReference::name)
                            .filter(each -> each.equals("main"))
                            .collect(Collectors.toList()));
        ThreadReference holder = thread(vm, "holder"), spinner = thread(vm, "spinner"), victim = thread(vm, "victim");
        showFrames(holder);
        say("owns " + holder.ownedMonitors().stream().map(Facts::show).collect(Collectors.toList()) + " waits for "
                + show(holder.currentContendedMonitor()));
        showFrames(thread(vm, "main"));

        showType(vm.classesByName("Debuggee$Item").get(0));
        showType(vm.classesByName("Debuggee$Base").get(0));
        say(vm.classesByName("NoSuchClass") + " " + vm.classesByName("int[]").size() + " "
                + vm.allClasses().stream().anyMatch(each -> each.name().equals("java.lang.String[]")));
        ClassType type = (ClassType) vm.classesByName("Debuggee$Item").get(0);
        say("nested "
                + vm.classesByName("Debuggee")
                        .get(0)
                        .nestedTypes()
                        .stream()
                        .map(ReferenceType::name)
                        .filter(each -> !each.contains("Lambda"))
                        .sorted()
                        .collect(Collectors.toList()));

        StackFrame frame = holder.frames()
                                   .stream()
                                   .filter(each -> each.location().method().name().equals("hold"))
                                   .findFirst()
                                   .get();
        ObjectReference item = frame.thisObject();
        item.disableCollection();
        for (Field field : type.allFields()) say("  " + field.name() + " = " + show(item.getValue(field)));
        item.setValue(type.fieldByName("number"), vm.mirrorOf(-5));
        item.setValue(type.fieldByName("text"), vm.mirrorOf("new \u20ac"));
        item.setValue(type.fieldByName("flag"), vm.mirrorOf(false));
        type.setValue(type.fieldByName("made"), vm.mirrorOf(99));
        ArrayReference numbers = (ArrayReference) item.getValue(type.fieldByName("numbers"));
        numbers.setValues(1, List.of(vm.mirrorOf(17)), 0, 1);
        say(numbers.length() + " " + show(numbers));
        try { numbers.getValue(3); } catch (IndexOutOfBoundsException e) { say("no element 3"); }
        ArrayReference made = ((ArrayType) numbers.type()).newInstance(2);
        say(show(made));
        say("instances " + type.instances(0).size() + " " + vm.instanceCounts(List.of(type))[0]);

        vm.suspend();
        say("count " + spinner.suspendCount());
        vm.resume();
        say("count " + spinner.suspendCount());
        ReferenceType debuggee = vm.classesByName("Debuggee").get(0);
        Field turns = debuggee.fieldByName("turns");
        long before = ((LongValue) debuggee.getValue(turns)).value();
        Thread.sleep(50);
        say("stands still " + (before == ((LongValue) debuggee.getValue(turns)).value()));
        vm.resume();
        Value then = debuggee.getValue(turns);
        await(() -> debuggee.getValue(turns).equals(then) ? null : true);
        say("runs");
        spinner.suspend();
        say("frames of a suspended thread " + (spinner.frameCount() > 0));
        try { victim.frames(); say("frames"); } catch (IncompatibleThreadStateException e) { say("not suspended"); }
        StackFrame old = spinner.frame(0);
        spinner.resume();
        try { old.thisObject(); say("still there"); } catch (InvalidStackFrameException e) { say("frame is gone"); }

        say("mine " + holder.threadGroup().threads().stream().map(ThreadReference::name).collect(Collectors.toList()));
        item.enableCollection();
        say("collected " + item.isCollected());
        ((ClassType) debuggee).setValue(debuggee.fieldByName("goOn"), vm.mirrorOf(true));
        holder.interrupt();
        ObjectReference thrown = (ObjectReference) debuggee.getValue(debuggee.fieldByName("toThrow"));
        victim.stop(thrown);

        try {
            while (true) for (Event event : queue.remove()) {
                    if (event instanceof VMDeathEvent || event instanceof VMDisconnectEvent)
                        say(event.getClass().getSimpleName());
            }
        } catch (VMDisconnectedException e) { say("disconnected"); }
        say("exit " + process.waitFor());
        reader.join();
        String[] lines = output.toString().split("\n");
        Arrays.sort(lines);
        for (String each : lines) say(each);
    }
}
