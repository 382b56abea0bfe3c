// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java: -XX:TieredStopAtLevel=1
// stress: no
//
// Resolution of classes and members, and selection of methods (JVMS 5.4.3.1 to 5.4.3.5, 5.4.4, 5.4.6). Cases are
// generated: each instruction and kind of method handle, combined with the named class, the class that declares the
// member, the member's flags, and the class that resolves it.
//
//   p/SuperFace <- p/Face <- p/Mid <- p/Leaf         the class named is Face or Mid, the receiver a Leaf or the caller
//                   p/Top <-'
//   caller: Mid itself, another class of p, of q, a subclass of Mid in q, a nestmate of Mid
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class MemberResolution {
    static final int PUBLIC = 1, PRIVATE = 2, PROTECTED = 4, STATIC = 8, FINAL = 16, SUPER = 32, INTERFACE = 0x200,
            ABSTRACT = 0x400;

    // --- a class file ---

    static class ClassFile {
        final Map<List<Object>, Integer> constants = new LinkedHashMap<>();
        final ByteArrayOutputStream pool = new ByteArrayOutputStream(), fields = new ByteArrayOutputStream(),
                methods = new ByteArrayOutputStream(), attributes = new ByteArrayOutputStream();
        final int version, flags;
        final String name, above;
        final List<String> interfaces;
        int next = 1, fieldCount, methodCount, attributeCount;

        ClassFile(int version, int flags, String name, String above, String... interfaces) {
            this.version = version;
            this.flags = flags;
            this.name = name;
            this.above = above;
            this.interfaces = List.of(interfaces);
        }

        int constant(int tag, Object... parts) throws IOException {
            List<Object> key = new ArrayList<>(List.of(tag));
            key.addAll(List.of(parts));
            Integer known = constants.get(key);
            if (known != null) return known;
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeByte(tag);
            for (Object part : parts) {
                if (part instanceof String) out.writeUTF((String) part);
                else if (part instanceof Byte) out.writeByte((Byte) part);
                else out.writeShort((Integer) part);
            }
            pool.write(bytes.toByteArray());
            constants.put(key, next);
            return next++;
        }

        int utf8(String text) throws IOException { return constant(1, text); }
        int type(String name) throws IOException { return constant(7, utf8(name)); }
        int member(int tag, String owner, String name, String descriptor) throws IOException {
            return constant(tag, type(owner), constant(12, utf8(name), utf8(descriptor)));
        }
        int handle(int kind, int reference) throws IOException { return constant(15, (byte) kind, reference); }

        void field(int flags, String name, String descriptor) throws IOException {
            DataOutputStream out = new DataOutputStream(fields);
            out.writeShort(flags);
            out.writeShort(utf8(name));
            out.writeShort(utf8(descriptor));
            out.writeShort(0);
            fieldCount++;
        }

        void method(int flags, String name, String descriptor, byte[] code) throws IOException {
            DataOutputStream out = new DataOutputStream(methods);
            out.writeShort(flags);
            out.writeShort(utf8(name));
            out.writeShort(utf8(descriptor));
            out.writeShort(code == null ? 0 : 1);
            methodCount++;
            if (code == null) return;
            out.writeShort(utf8("Code"));
            out.writeInt(12 + code.length);
            out.writeShort(8);
            out.writeShort(8);
            out.writeInt(code.length);
            out.write(code);
            out.writeInt(0);
        }

        void attribute(String name, int... shorts) throws IOException {
            DataOutputStream out = new DataOutputStream(attributes);
            out.writeShort(utf8(name));
            out.writeInt(2 * shorts.length);
            for (int each : shorts) out.writeShort(each);
            attributeCount++;
        }

        // super(): of any visibility.
        void constructor(int flags) throws IOException {
            int reference = member(10, above, "<init>", "()V");
            method(flags, "<init>", "()V", bytes(0x2A, 0xB7, reference >> 8, reference, 0xB1));
        }

        byte[] finish() throws IOException {
            int own = type(name), parent = type(above);
            int[] faces = new int[interfaces.size()];
            for (int i = 0; i < faces.length; i++) faces[i] = type(interfaces.get(i));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeInt(0xCAFEBABE);
            out.writeInt(version);
            out.writeShort(next);
            out.write(pool.toByteArray());
            out.writeShort(flags);
            out.writeShort(own);
            out.writeShort(parent);
            out.writeShort(faces.length);
            for (int face : faces) out.writeShort(face);
            out.writeShort(fieldCount);
            out.write(fields.toByteArray());
            out.writeShort(methodCount);
            out.write(methods.toByteArray());
            out.writeShort(attributeCount);
            out.write(attributes.toByteArray());
            return bytes.toByteArray();
        }
    }

    static byte[] bytes(int... values) {
        byte[] all = new byte[values.length];
        for (int i = 0; i < values.length; i++) all[i] = (byte) values[i];
        return all;
    }

    static class Loader extends ClassLoader {
        final Map<String, byte[]> files = new HashMap<>();
        Loader() { super(MemberResolution.class.getClassLoader()); }
        void add(ClassFile file) throws IOException { files.put(file.name.replace('/', '.'), file.finish()); }
        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] file = files.get(name);
            if (file == null) throw new ClassNotFoundException(name);
            return defineClass(name, file, 0, file.length);
        }
    }

    // --- the classes of one case ---

    enum Where { HERE, TOP, SUPER_FACE, BOTH_FACES, NOWHERE }
    enum Who { SELF, PACKAGE, OTHER, SUBCLASS, NESTMATE }

    interface Members { void declare(ClassFile in, int flags) throws IOException; }
    interface Use { byte[] code(ClassFile caller, String receiver) throws IOException; }

    // `named` is the class that the reference names: p/Mid or p/Face. It declares the member if `where` is HERE.
    static void run(String what, String named, Where where, int flags, Who who, String receiver, int version,
                    Members members, Use use) throws IOException {
        String object = "java/lang/Object";
        boolean isFace = named.equals("p/Face");
        ClassFile superFace = new ClassFile(version, PUBLIC | INTERFACE | ABSTRACT, "p/SuperFace", object);
        ClassFile face = new ClassFile(version, PUBLIC | INTERFACE | ABSTRACT, "p/Face", object, "p/SuperFace");
        ClassFile other = new ClassFile(version, PUBLIC | INTERFACE | ABSTRACT, "p/OtherFace", object);
        ClassFile top = new ClassFile(version, PUBLIC | SUPER, "p/Top", object);
        ClassFile mid = new ClassFile(version, PUBLIC | SUPER, "p/Mid", "p/Top", "p/Face", "p/OtherFace");
        ClassFile leaf = new ClassFile(version, PUBLIC | SUPER, "p/Leaf", "p/Mid");
        switch (where) {
            case HERE: members.declare(isFace ? face : mid, flags); break;
            case TOP: members.declare(top, flags); break;
            case SUPER_FACE: members.declare(superFace, flags); break;
            case BOTH_FACES: members.declare(superFace, flags); members.declare(other, flags); break;
            default: break;
        }
        for (ClassFile each : List.of(top, mid, leaf)) each.constructor(PUBLIC);
        ClassFile caller;
        switch (who) {
            case SELF: caller = mid; break;
            case PACKAGE: case NESTMATE: caller = new ClassFile(version, PUBLIC | SUPER, "p/Caller", object); break;
            case OTHER: caller = new ClassFile(version, PUBLIC | SUPER, "q/Caller", object); break;
            default: caller = new ClassFile(version, PUBLIC | SUPER, "q/Caller", "p/Mid"); break;
        }
        if (who == Who.NESTMATE) {
            caller.attribute("NestHost", caller.type("p/Mid"));
            mid.attribute("NestMembers", 1, mid.type("p/Caller"));
        }
        if (who != Who.SELF) caller.constructor(PUBLIC);
        String made = receiver.equals("caller") ? caller.name : receiver;
        caller.method(PUBLIC | STATIC, "run", "()Ljava/lang/Object;", use.code(caller, made));
        Loader loader = new Loader();
        for (ClassFile each : List.of(superFace, face, other, top, mid, leaf)) loader.add(each);
        if (who != Who.SELF) loader.add(caller);
        StringBuilder line = new StringBuilder(what).append(": ");
        last = "";
        // Executes the caller twice, because a constant whose resolution has failed once must fail again.
        for (int i = 0; i < 2; i++) line.append(i == 0 ? "" : " | ").append(outcome(loader, caller.name));
        System.out.println(line);
    }

    static String last = "";

    static String outcome(Loader loader, String caller) {
        String text;
        try {
            text = String.valueOf(loader.loadClass(caller.replace('/', '.')).getMethod("run").invoke(null));
        } catch (java.lang.reflect.InvocationTargetException wrapper) {
            StringBuilder all = new StringBuilder();
            for (Throwable t = wrapper.getCause(); t != null; t = t.getCause())
                all.append(all.length() == 0 ? "" : " <- ").append(t);
            text = all.toString();
        } catch (Throwable e) {
            text = "before: " + e;
        }
        text = text.replaceAll("@[0-9a-f]+", "@").replaceAll("MemberResolution\\$Loader @", "L");
        int end = text.indexOf("Exception Details");    // the details of a VerifyError are left to other tests
        if (end >= 0) text = text.substring(0, end).trim();
        boolean same = text.equals(last);
        last = text;
        return same ? "same" : text;
    }

    static String words(int flags) {
        String[] names = {"public ", "private ", "protected ", "static ", "final "};
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.length; i++) if ((flags & 1 << i) != 0) text.append(names[i]);
        return text + ((flags & ABSTRACT) != 0 ? "abstract " : "");
    }

    // --- bytecode that uses the members ---

    static final int NEW = 0xBB, DUP = 0x59, SPECIAL = 0xB7, VIRTUAL = 0xB6, STATIC_CALL = 0xB8, INTERFACE_CALL = 0xB9,
            LDC_W = 0x13, ARETURN = 0xB0, SIPUSH = 0x11;

    static void write(ByteArrayOutputStream code, int... values) { code.writeBytes(bytes(values)); }

    static void receiver(ByteArrayOutputStream code, ClassFile caller, String made) throws IOException {
        int type = caller.type(made), constructor = caller.member(10, made, "<init>", "()V");
        write(code, NEW, type >> 8, type, DUP, SPECIAL, constructor >> 8, constructor);
    }

    static void boxed(ByteArrayOutputStream code, ClassFile caller) throws IOException {
        int box = caller.member(10, "java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;");
        write(code, STATIC_CALL, box >> 8, box, ARETURN);
    }

    static Use call(int opcode, int tag, String owner) {
        return (caller, made) -> {
            ByteArrayOutputStream code = new ByteArrayOutputStream();
            if (opcode != STATIC_CALL) receiver(code, caller, made);
            int reference = caller.member(tag, owner, "m", "()I");
            write(code, opcode, reference >> 8, reference);
            if (opcode == INTERFACE_CALL) write(code, 1, 0);
            boxed(code, caller);
            return code.toByteArray();
        };
    }

    static Use access(int opcode, String owner) {
        return (caller, made) -> {
            ByteArrayOutputStream code = new ByteArrayOutputStream();
            boolean isStatic = opcode == 0xB2 || opcode == 0xB3, isPut = opcode == 0xB3 || opcode == 0xB5;
            if (!isStatic) receiver(code, caller, made);
            if (isPut) write(code, SIPUSH, 0, 7);
            int reference = caller.member(9, owner, "f", "I");
            write(code, opcode, reference >> 8, reference);
            if (isPut) write(code, SIPUSH, 0, 8);
            boxed(code, caller);
            return code.toByteArray();
        };
    }

    static Use handle(int kind, int tag, String owner, String name, String descriptor) {
        return (caller, made) -> {
            ByteArrayOutputStream code = new ByteArrayOutputStream();
            int constant = caller.handle(kind, caller.member(tag, owner, name, descriptor));
            int type = caller.member(10, "java/lang/invoke/MethodHandle", "type", "()Ljava/lang/invoke/MethodType;");
            write(code, LDC_W, constant >> 8, constant, VIRTUAL, type >> 8, type, ARETURN);
            return code.toByteArray();
        };
    }

    // --- all cases ---

    static void methods(int version) throws IOException {
        Members members = (in, flags) -> in.method(flags, "m", "()I",
                (flags & ABSTRACT) != 0 ? null : bytes(SIPUSH, 0, 42, 0xAC));
        int[] visibilities = {PUBLIC, PROTECTED, 0, PRIVATE}, kinds = {0, STATIC, ABSTRACT, FINAL};
        for (String named : new String[] {"p/Mid", "p/Face"}) {
            for (Where where : Where.values()) {
                boolean onFace = where == Where.SUPER_FACE || where == Where.BOTH_FACES
                        || where == Where.HERE && named.equals("p/Face");
                for (int visibility : visibilities) {
                    for (int kind : kinds) {
                        if (kind == ABSTRACT && visibility == PRIVATE) continue;
                        if (onFace && (visibility == PROTECTED || visibility == 0 || kind == FINAL)) continue;
                        if (where == Where.NOWHERE && (visibility != PUBLIC || kind != 0)) continue;
                        for (Who who : Who.values()) methodsOf(version, named, where, visibility | kind, who, members);
                    }
                }
            }
        }
    }

    static void methodsOf(int version, String named, Where where, int flags, Who who, Members members)
            throws IOException {
        String start = "version " + version + ", " + named + ", " + words(flags) + where + ", from " + who + ", ";
        boolean related = who == Who.SELF || who == Who.SUBCLASS;
        String[] receivers = who == Who.SUBCLASS ? new String[] {"p/Leaf", "caller"} : new String[] {"p/Leaf"};
        for (int tag : new int[] {10, 11}) {
            String kind = tag == 10 ? " Methodref" : " InterfaceMethodref";
            for (String receiver : receivers) {
                String on = kind + " on " + receiver;
                run(start + "invokevirtual" + on, named, where, flags, who, receiver, version, members,
                    call(VIRTUAL, tag, named));
                run(start + "invokeinterface" + on, named, where, flags, who, receiver, version, members,
                    call(INTERFACE_CALL, tag, named));
            }
            run(start + "invokestatic" + kind, named, where, flags, who, "p/Leaf", version, members,
                call(STATIC_CALL, tag, named));
            // Leaves out an invokespecial that names an indirect superinterface, because the verifier rejects it from
            // release 25 on.
            if (related && !(who == Who.SUBCLASS && tag == 10 && named.equals("p/Face"))) {
                run(start + "invokespecial" + kind, named, where, flags, who, "caller", version, members,
                    call(SPECIAL, tag, named));
            }
            for (int handle : new int[] {5, 6, 7, 9}) {
                if (handle == 7 && !related) continue;
                if (handle == 5 && tag == 11 || handle == 9 && tag == 10) continue;    // malformed
                run(start + "handle " + handle + kind, named, where, flags, who, "p/Leaf", version, members,
                    handle(handle, tag, named, "m", "()I"));
            }
        }
    }

    static void fields(int version) throws IOException {
        Members members = (in, flags) -> in.field(flags, "f", "I");
        for (String named : new String[] {"p/Mid", "p/Face"}) {
            for (Where where : Where.values()) {
                boolean onFace = where == Where.SUPER_FACE || where == Where.BOTH_FACES
                        || where == Where.HERE && named.equals("p/Face");
                for (int visibility : new int[] {PUBLIC, PROTECTED, 0, PRIVATE}) {
                    for (int kind : new int[] {0, STATIC, FINAL, STATIC | FINAL}) {
                        if (onFace && (visibility | kind) != (PUBLIC | STATIC | FINAL)) continue;
                        if (where == Where.NOWHERE && (visibility != PUBLIC || kind != 0)) continue;
                        for (Who who : Who.values()) fieldsOf(version, named, where, visibility | kind, who, members);
                    }
                }
            }
        }
    }

    static void fieldsOf(int version, String named, Where where, int flags, Who who, Members members)
            throws IOException {
        String start = "version " + version + ", " + named + ", " + words(flags) + where + ", from " + who + ", ";
        String[] receivers = who == Who.SUBCLASS ? new String[] {"p/Leaf", "caller"} : new String[] {"p/Leaf"};
        for (int opcode = 0xB2; opcode <= 0xB5; opcode++) {
            String name = List.of("getstatic", "putstatic", "getfield", "putfield").get(opcode - 0xB2);
            for (String receiver : opcode < 0xB4 ? new String[] {"p/Leaf"} : receivers) {
                run(start + name + " on " + receiver, named, where, flags, who, receiver, version, members,
                    access(opcode, named));
            }
        }
        for (int handle = 1; handle <= 4; handle++) {
            run(start + "handle " + handle, named, where, flags, who, "p/Leaf", version, members,
                handle(handle, 9, named, "f", "I"));
        }
    }

    static void constructors(int version) throws IOException {
        for (int flags : new int[] {PUBLIC, PROTECTED, 0, PRIVATE}) {
            for (Where where : new Where[] {Where.HERE, Where.TOP, Where.NOWHERE}) {
                for (Who who : Who.values()) {
                    String start = "version " + version + ", " + words(flags) + "<init>(int) " + where + ", from "
                            + who;
                    Members members = (in, access) -> {
                        int reference = in.member(10, in.above, "<init>", "()V");
                        in.method(access, "<init>", "(I)V",
                                  bytes(0x2A, SPECIAL, reference >> 8, reference, 0xB1));
                    };
                    if (who == Who.SUBCLASS && flags == PROTECTED) continue;    // the verifier rejects this
                    run(start + ", new", "p/Mid", where, flags, who, "p/Leaf", version, members, (caller, made) -> {
                        int type = caller.type("p/Mid"), called = caller.member(10, "p/Mid", "<init>", "(I)V");
                        return bytes(NEW, type >> 8, type, DUP, SIPUSH, 0, 1, SPECIAL, called >> 8, called,
                                     0x57, 0x01, ARETURN);
                    });
                    run(start + ", handle 8", "p/Mid", where, flags, who, "p/Leaf", version, members,
                        handle(8, 10, "p/Mid", "<init>", "(I)V"));
                }
            }
        }
    }

    // References to classes (JVMS 5.4.3.1), and method types (JVMS 5.4.3.5).
    static void classes(int version) throws IOException {
        String object = "java/lang/Object";
        String[] targets = {"p/Open", "p/Closed", "p/Abstract", "p/Face", "p/Absent", "p/Renamed", "p/BelowFinal"};
        for (String target : targets) {
            for (String array : new String[] {"", "[", "[[["}) {
                for (String asker : new String[] {"p/Caller", "q/Caller"}) {
                    for (int use = 0; use < 12; use++) {
                        if (use == 0 && !array.isEmpty()) continue;
                        List<ClassFile> all = new ArrayList<>();
                        all.add(new ClassFile(version, PUBLIC | SUPER, "p/Open", object));
                        all.add(new ClassFile(version, SUPER, "p/Closed", object));
                        all.add(new ClassFile(version, PUBLIC | SUPER | ABSTRACT, "p/Abstract", object));
                        for (ClassFile each : all) each.constructor(PUBLIC);
                        all.add(new ClassFile(version, PUBLIC | INTERFACE | ABSTRACT, "p/Face", object));
                        all.add(new ClassFile(version, PUBLIC | SUPER, "p/BelowFinal", "java/lang/String"));
                        ClassFile caller = new ClassFile(version, PUBLIC | SUPER, asker, object);
                        String name = array.isEmpty() ? target : array + "L" + target + ";";
                        String descriptor = array.isEmpty() ? "L" + target + ";" : name;
                        all.get(0).field(PUBLIC | STATIC, "yes", descriptor);
                        all.get(0).method(PUBLIC | STATIC, "yes", "()" + descriptor, bytes(0x01, ARETURN));
                        String what = classUse(use, caller, name, descriptor);
                        all.add(caller);
                        Loader loader = new Loader();
                        for (ClassFile each : all) loader.add(each);
                        loader.files.put("p.Renamed", loader.files.get("p.Open"));
                        last = "";
                        System.out.println("version " + version + ", " + what + " " + name + " in " + asker + ": "
                                + outcome(loader, asker) + " | " + outcome(loader, asker));
                    }
                }
            }
        }
    }

    // Gives `caller` a method `run`. It uses the class `name` in the way that the number `use` selects.
    static String classUse(int use, ClassFile caller, String name, String descriptor) throws IOException {
        ByteArrayOutputStream code = new ByteArrayOutputStream();
        int type = caller.type(name), text = caller.constant(8, caller.utf8("text"));
        String[] words = {"new", "class constant", "anewarray", "multianewarray", "checkcast", "instanceof",
            "method type returning", "method type taking", "missing method handle returning",
            "missing field handle of", "method handle returning", "field handle of"};
        switch (use) {
            case 0: {
                int constructor = caller.member(10, name, "<init>", "()V");
                write(code, NEW, type >> 8, type, DUP, SPECIAL, constructor >> 8, constructor, 0x57, 0x01, ARETURN);
                break;
            }
            case 1: write(code, LDC_W, type >> 8, type, 0x57, 0x01, ARETURN); break;
            case 2: write(code, SIPUSH, 0, 1, 0xBD, type >> 8, type, 0x57, 0x01, ARETURN); break;
            case 3: {
                int matrix = caller.type("[[" + descriptor);
                write(code, SIPUSH, 0, 1, SIPUSH, 0, 1, 0xC5, matrix >> 8, matrix, 2, 0x57, 0x01, ARETURN);
                break;
            }
            case 4: write(code, LDC_W, text >> 8, text, 0xC0, type >> 8, type, 0x57, 0x01, ARETURN); break;
            case 5: write(code, LDC_W, text >> 8, text, 0xC1, type >> 8, type); boxed(code, caller); break;
            case 8: case 9: case 10: case 11: {
                String member = use < 10 ? "no" : "yes";
                boolean isMethod = use % 2 == 0;
                int constant = isMethod ? caller.handle(6, caller.member(10, "p/Open", member, "()" + descriptor))
                        : caller.handle(2, caller.member(9, "p/Open", member, descriptor));
                write(code, LDC_W, constant >> 8, constant, 0x57, 0x01, ARETURN);
                break;
            }
            default: {
                int constant = caller.constant(16, caller.utf8(use == 6 ? "()" + descriptor : "(" + descriptor + ")V"));
                write(code, LDC_W, constant >> 8, constant, 0x57, 0x01, ARETURN);
                break;
            }
        }
        caller.method(PUBLIC | STATIC, "run", "()Ljava/lang/Object;", code.toByteArray());
        return words[use];
    }

    // --- lambdas whose types do not fit: the VM generates their classes and does not verify them ---

    static void lambda(String what, String face, String name, String erased, String dynamic, String implementation,
                       String captured) throws IOException {
        ClassFile caller = new ClassFile(61, PUBLIC | SUPER, "q/Caller", "java/lang/Object");
        boolean isVoid = implementation.endsWith("V"), isInt = implementation.endsWith("I");
        caller.method(PUBLIC | STATIC, "implementation", implementation,
                      isVoid ? bytes(0xB1) : isInt ? bytes(0x03, 0xAC) : bytes(0x01, ARETURN));
        int factory = caller.member(10, "java/lang/invoke/LambdaMetafactory", "metafactory",
                "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
                        + "Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)"
                        + "Ljava/lang/invoke/CallSite;");
        caller.attribute("BootstrapMethods", 1, caller.handle(6, factory), 3, caller.constant(16, caller.utf8(erased)),
                         caller.handle(6, caller.member(10, "q/Caller", "implementation", implementation)),
                         caller.constant(16, caller.utf8(dynamic)));
        int site = caller.constant(18, 0, caller.constant(12, caller.utf8(name),
                                                          caller.utf8("(" + captured + ")L" + face + ";")));
        ByteArrayOutputStream code = new ByteArrayOutputStream();
        if (!captured.isEmpty()) write(code, 0x01);
        write(code, 0xBA, site >> 8, site, 0, 0, 0x57, 0x01, ARETURN);
        caller.method(PUBLIC | STATIC, "run", "()Ljava/lang/Object;", code.toByteArray());
        Loader loader = new Loader();
        loader.add(caller);
        last = "";
        System.out.println("lambda " + what + ": " + outcome(loader, "q/Caller") + " | " + outcome(loader, "q/Caller"));
    }

    static void lambdas() throws IOException {
        String object = "Ljava/lang/Object;", text = "Ljava/lang/String;", number = "Ljava/lang/Integer;";
        String function = "java/util/function/Function", toObject = "(" + object + ")" + object;
        String supplier = "java/util/function/Supplier", operator = "java/util/function/IntUnaryOperator";
        lambda("that fits", function, "apply", toObject, toObject, toObject, "");
        lambda("of a subtype", function, "apply", toObject, "(" + text + ")" + text, "(" + object + ")" + text, "");
        lambda("that unboxes", function, "apply", toObject, "(" + number + ")" + number, "(I)I", "");
        lambda("with a narrower argument", function, "apply", toObject, toObject, "(" + text + ")" + object, "");
        lambda("with an int for an object", function, "apply", toObject, toObject, "(I)" + object, "");
        lambda("with an int for a text", function, "apply", toObject, "(" + text + ")" + object, "(I)" + object, "");
        lambda("that returns nothing", function, "apply", toObject, toObject, "(" + object + ")V", "");
        lambda("of a wider capture", supplier, "get", "()" + object, "()" + object, "(" + text + ")" + object, object);
        lambda("of a narrower capture", supplier, "get", "()" + object, "()" + object, toObject, text);
        lambda("with too many parameters", function, "apply", toObject, toObject, "(" + object + object + ")" + object,
               "");
        lambda("with too few parameters", function, "apply", toObject, toObject, "()" + object, "");
        lambda("of a class", "java/lang/Object", "apply", toObject, toObject, toObject, "");
        lambda("whose dynamic type has objects for ints", operator, "applyAsInt", "(I)I", "(" + object + ")I",
               "(" + object + ")I", "");
        lambda("whose dynamic type has ints for objects", function, "apply", toObject, "(I)" + object, "(I)" + object,
               "");
        lambda("whose dynamic type returns an int", supplier, "get", "()" + object, "()I", "()I", "");
    }

    public static void main(String[] args) throws Exception {
        int[] versions = args.length == 0 ? new int[] {52, 61} : new int[] {Integer.parseInt(args[0])};
        for (int version : versions) {
            methods(version);
            fields(version);
            constructors(version);
            classes(version);
        }
        lambdas();
    }
}
