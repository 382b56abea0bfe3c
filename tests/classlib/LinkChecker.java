// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Does the rest of the JDK still fit the overlay? javac --patch-module compiles a class without looking at those that
// use it.
//
//   java --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED LinkChecker.java OVERLAY.jar NATIVES.def
//        UNREACHABLE.txt UNBOUND.txt [JAVA_HOME]
//
// C1  Every field and method that a class of lib/modules uses of an overlaid class is there: name, descriptor, static
//     or not, access.
// C2  Nobody uses a nested class of an overlaid class that the overlay does not have.
// C3  Every native method of the overlay has a row in natives.def.
// C4  Every row of natives.def is a native method of the overlay or, where that has no such class, of the JDK. A
//     NATIVE_IN_SOME row may be missing there, but not its class.
// C5  Every native method of the modules BOUND has a row.
// Classes named in UNREACHABLE.txt (one a line, or a package as "a.b.*"; '#' comments) never run on Keyhole and are not
// asked for C1 and C2; methods named in UNBOUND.txt ("a.b.Class.method", or "a.b.Class" for all of a class; '#' and the
// reason) are not asked for C5. A name in either list that has nothing to hide is an error, so that the lists do not
// rot.
//
// Runs on an installed JDK, not on Keyhole, and checks the library of JAVA_HOME, by default its own. That may be a
// runtime image made by jlink: rows and names of modules that it lacks are not asked for. Prints each violation; exit
// code 1 when there is one.

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassVisitor;
import jdk.internal.org.objectweb.asm.FieldVisitor;
import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

public class LinkChecker {
    static final int API = Opcodes.ASM8;

    static class Visitor extends ClassVisitor {
        Visitor() {
            super(API);
        }
        @Override
        @SuppressWarnings("deprecation")
        public void visitPermittedSubclassExperimental(String name) {   // ASM 8 itself refuses sealed classes
        }
    }

    // What a class declares. Keys of members: "name descriptor" for methods, "name:descriptor" for fields.
    static final class Declared {
        String superName;
        String[] interfaces;
        int access;
        final Map<String, Integer> members = new HashMap<>();
    }

    final Map<String, byte[]> overlay = new LinkedHashMap<>();
    final Map<String, Declared> declared = new HashMap<>();
    final Path javaBase;
    final Set<String> violations = new TreeSet<>();
    final Set<String> unreachable = new TreeSet<>();
    final Set<String> hiding = new TreeSet<>();
    // The modules whose natives all have rows (C5).
    static final List<String> BOUND = List.of("java.base", "java.instrument", "java.management", "java.prefs",
                                              "java.rmi", "jdk.management", "jdk.management.agent", "jdk.net");

    LinkChecker(FileSystem image) {
        javaBase = image.getPath("/modules/java.base");
    }

    public static void main(String[] arguments) throws IOException {
        URI image = URI.create("jrt:/");
        LinkChecker checker = new LinkChecker(
                arguments.length > 4 ? FileSystems.newFileSystem(image, Map.of("java.home", arguments[4]))
                                     : FileSystems.getFileSystem(image));
        checker.readOverlay(Path.of(arguments[0]));
        readList(Path.of(arguments[2]), checker.unreachable);
        int classes = checker.checkReferences();
        Set<String> rows = checker.checkRows(checker.readRows(Path.of(arguments[1])));
        checker.checkBound(rows, Path.of(arguments[3]));
        for (String name : checker.unreachable)
            if (!checker.hiding.contains(name)) checker.violations.add("unreachable list: " + name + " hides nothing");
        for (String each : checker.violations) System.out.println(each);
        System.out.println(checker.overlay.size() + " classes of the overlay, " + classes + " classes of the JDK, "
                           + rows.size() + " natives: "
                           + (checker.violations.isEmpty() ? "all fit" : checker.violations.size() + " do not fit"));
        System.exit(checker.violations.isEmpty() ? 0 : 1);
    }

    void readOverlay(Path jar) throws IOException {
        try (FileSystem files = FileSystems.newFileSystem(jar); Stream<Path> all = Files.walk(files.getPath("/"))) {
            for (Path each : (Iterable<Path>) all::iterator) {
                String name = each.toString();
                if (name.endsWith(".class"))
                    overlay.put(name.substring(1, name.length() - 6), Files.readAllBytes(each));
            }
        }
    }

    static void readList(Path list, Set<String> names) throws IOException {
        for (String line : Files.readAllLines(list)) {
            String name = line.replaceFirst("#.*", "").strip();
            if (!name.isEmpty()) names.add(name);
        }
    }

    // ---- C1, C2 -----------------------------------------------------------------------------------------------------

    int checkReferences() throws IOException {
        int count = 0;
        try (Stream<Path> all = Files.walk(javaBase.getParent())) {
            for (Path each : (Iterable<Path>) all::iterator) {
                String path = each.toString();
                if (!path.endsWith(".class") || path.endsWith("module-info.class")) continue;
                int start = path.indexOf('/', "/modules/".length()) + 1;
                String name = path.substring(start, path.length() - 6);
                if (belongsToOverlay(name)) continue;
                count++;
                checkClass(name, Files.readAllBytes(each));
            }
        }
        for (Map.Entry<String, byte[]> each : overlay.entrySet()) checkClass(each.getKey(), each.getValue());
        return count;
    }

    // The class itself, or a nested class of one that the overlay replaces.
    boolean belongsToOverlay(String name) {
        for (int dollar = name.length(); dollar > 0; dollar = name.lastIndexOf('$', dollar - 1))
            if (overlay.containsKey(name.substring(0, dollar))) return true;
        return false;
    }

    void checkClass(String user, byte[] bytes) {
        new ClassReader(bytes).accept(new Visitor() {
            @Override
            public MethodVisitor visitMethod(int access, String method, String descriptor, String signature,
                                             String[] exceptions) {
                return new MethodVisitor(API) {
                    @Override
                    public void visitFieldInsn(int opcode, String owner, String name, String type) {
                        boolean isStatic = opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC;
                        checkMember(user, owner, name + ":" + type, isStatic);
                    }
                    @Override
                    public void visitMethodInsn(int opcode, String owner, String name, String type,
                                                boolean isInterface) {
                        checkMember(user, owner, name + " " + type, opcode == Opcodes.INVOKESTATIC);
                    }
                    @Override
                    public void visitInvokeDynamicInsn(String name, String type, Handle bootstrap,
                                                       Object... arguments) {
                        for (Object each : arguments) {
                            if (!(each instanceof Handle)) continue;
                            Handle handle = (Handle) each;
                            boolean field = handle.getTag() <= Opcodes.H_PUTSTATIC;
                            boolean isStatic = handle.getTag() == Opcodes.H_INVOKESTATIC
                                    || handle.getTag() == Opcodes.H_GETSTATIC || handle.getTag() == Opcodes.H_PUTSTATIC;
                            checkMember(user, handle.getOwner(),
                                        handle.getName() + (field ? ":" : " ") + handle.getDesc(), isStatic);
                        }
                    }
                    @Override
                    public void visitTypeInsn(int opcode, String type) {
                        checkType(user, type);
                    }
                };
            }
        }, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }

    void checkType(String user, String type) {
        if (type.startsWith("[")) return;
        if (belongsToOverlay(type) && !overlay.containsKey(type))
            violation(user, "C2 uses " + type + ", which the overlay lacks");
    }

    void checkMember(String user, String owner, String member, boolean isStatic) {
        if (!belongsToOverlay(owner)) return;
        if (!overlay.containsKey(owner)) {
            checkType(user, owner);
            return;
        }
        if (isSignaturePolymorphic(owner, member)) return;
        String text = owner.replace('/', '.') + "." + member;
        String holder = findHolder(owner, member);
        if (holder == null) {
            violation(user, "C1 uses " + text + ", which does not exist");
            return;
        }
        int access = declaration(holder).members.get(member);
        if (((access & Opcodes.ACC_STATIC) != 0) != isStatic)
            violation(user, "C1 uses " + text + " as " + (isStatic ? "static" : "instance member"));
        if (!canAccess(user, holder, access)) violation(user, "C1 may not access " + text);
        if (!packageOf(user).equals(packageOf(owner)) && (declaration(owner).access & Opcodes.ACC_PUBLIC) == 0
            && owner.indexOf('$') < 0)
            violation(user, "C1 may not access class " + owner);
    }

    // MethodHandle.invokeExact and the like fit every descriptor (JVMS 2.9.3).
    boolean isSignaturePolymorphic(String owner, String member) {
        if (!owner.equals("java/lang/invoke/MethodHandle") && !owner.equals("java/lang/invoke/VarHandle")) return false;
        String start = member.substring(0, member.indexOf(' ') + 1) + "([Ljava/lang/Object;)";
        for (Map.Entry<String, Integer> each : declaration(owner).members.entrySet())
            if (each.getKey().startsWith(start) && (each.getValue() & Opcodes.ACC_NATIVE) != 0
                && (each.getValue() & Opcodes.ACC_VARARGS) != 0)
                return true;
        return false;
    }

    boolean canAccess(String user, String holder, int access) {
        if ((access & Opcodes.ACC_PUBLIC) != 0) return true;
        if ((access & Opcodes.ACC_PRIVATE) != 0) return outermost(user).equals(outermost(holder));
        if (packageOf(user).equals(packageOf(holder))) return true;
        if ((access & Opcodes.ACC_PROTECTED) == 0) return false;
        for (String type = user; type != null; type = declaration(type) == null ? null : declaration(type).superName)
            if (type.equals(holder)) return true;
        return outermost(user).equals(user) ? false : canAccess(outermost(user), holder, access);
    }

    // Field and method resolution (JVMS 5.4.3.2 and 5.4.3.3): the class, its superclasses, its interfaces.
    String findHolder(String owner, String member) {
        for (String type = owner; type != null; ) {
            Declared known = declaration(type);
            if (known == null) return null;
            if (known.members.containsKey(member)) return type;
            for (String each : known.interfaces) {
                String holder = findHolder(each, member);
                if (holder != null) return holder;
            }
            type = known.superName;
        }
        return null;
    }

    Declared declaration(String name) {
        if (declared.containsKey(name)) return declared.get(name);
        Declared result = null;
        byte[] bytes = bytesOf(name);
        if (bytes != null) {
            Declared made = result = new Declared();
            new ClassReader(bytes).accept(new Visitor() {
                @Override
                public void visit(int version, int access, String own, String signature, String superName,
                                  String[] interfaces) {
                    made.access = access;
                    made.superName = superName;
                    made.interfaces = interfaces;
                }
                @Override
                public FieldVisitor visitField(int access, String field, String type, String signature, Object value) {
                    made.members.put(field + ":" + type, access);
                    return null;
                }
                @Override
                public MethodVisitor visitMethod(int access, String method, String type, String signature,
                                                 String[] exceptions) {
                    made.members.put(method + " " + type, access);
                    return null;
                }
            }, ClassReader.SKIP_CODE);
        }
        declared.put(name, result);
        return result;
    }

    byte[] bytesOf(String name) {
        if (overlay.containsKey(name)) return overlay.get(name);
        Path modules = packageEntry(name);
        if (!Files.exists(modules)) return null;
        try (Stream<Path> links = Files.list(modules)) {
            for (Path each : (Iterable<Path>) links::iterator) {
                Path file = javaBase.resolveSibling(each.getFileName().toString()).resolve(name + ".class");
                if (Files.exists(file)) return Files.readAllBytes(file);
            }
            return null;
        } catch (IOException unreadable) {
            return null;
        }
    }

    // Where the image tells the modules of the class's package.
    Path packageEntry(String name) {
        return javaBase.getFileSystem().getPath("/packages", packageOf(name).replace('/', '.'));
    }

    void violation(String user, String text) {
        String name = outermost(user).replace('/', '.');
        String inPackage = name.substring(0, name.lastIndexOf('.') + 1) + "*";
        if (unreachable.contains(name)) hiding.add(name);
        else if (unreachable.contains(inPackage)) hiding.add(inPackage);
        else violations.add(user.replace('/', '.') + ": " + text);
    }

    static String outermost(String name) {
        int dollar = name.indexOf('$', name.lastIndexOf('/') + 2);
        return dollar < 0 ? name : name.substring(0, dollar);
    }

    static String packageOf(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('/')));
    }

    // ---- C3, C4, C5 -------------------------------------------------------------------------------------------------

    static final class Row {
        String owner, member;
        boolean inSome;   // only some updates of the release declare it
    }

    // The rows of a table and of those that it includes; names of included files start at the root of the tree.
    List<Row> readRows(Path table) throws IOException {
        Pattern line = Pattern.compile(
                "^NATIVE(_IN_SOME)?\\(\"([^\"]+)\",\\s+\"([^\"]+)\",\\s+\"([^\"]+)\",|^#include \"classlib/([^\"]+)\"",
                Pattern.MULTILINE);
        List<Row> rows = new ArrayList<>();
        for (Matcher matcher = line.matcher(Files.readString(table)); matcher.find(); ) {
            if (matcher.group(5) != null) {
                rows.addAll(readRows(table.resolveSibling(matcher.group(5))));
                continue;
            }
            Row row = new Row();
            row.owner = matcher.group(2);
            row.member = matcher.group(3) + " " + matcher.group(4);
            row.inSome = matcher.group(1) != null;
            rows.add(row);
        }
        return rows;
    }

    // C3 and C4. Answers the rows as "owner.member".
    Set<String> checkRows(List<Row> rows) {
        Set<String> names = new TreeSet<>();
        for (Row row : rows) {
            String name = row.owner + "." + row.member;
            if (!names.add(name)) violations.add("C4 natives.def has two rows for " + name);
            Declared known = declaration(row.owner);
            if (known == null && lacksModules() && !Files.exists(packageEntry(row.owner))) continue;
            Integer access = known == null ? null : known.members.get(row.member);
            if (access == null && row.inSome && known != null) continue;
            if (access == null || (access & Opcodes.ACC_NATIVE) == 0)
                violations.add("C4 natives.def: no native method " + name);
        }
        for (String owner : overlay.keySet())
            for (String member : nativesOf(owner))
                if (!names.contains(owner + "." + member))
                    violations.add("C3 natives.def lacks " + owner + "." + member);
        return names;
    }

    void checkBound(Set<String> rows, Path list) throws IOException {
        Set<String> unbound = new TreeSet<>(), needed = new TreeSet<>();
        readList(list, unbound);
        for (String module : BOUND) {
            Path root = javaBase.resolveSibling(module);
            if (!Files.exists(root)) continue;
            try (Stream<Path> all = Files.walk(root)) {
                for (Path each : (Iterable<Path>) all::iterator) {
                    String path = each.toString();
                    if (!path.endsWith(".class") || path.endsWith("module-info.class")) continue;
                    String owner = root.relativize(each).toString().replaceFirst("\\.class$", "");
                    if (belongsToOverlay(owner)) continue;
                    for (String member : nativesOf(owner)) {
                        if (rows.contains(owner + "." + member)) continue;
                        String type = owner.replace('/', '.'),
                               method = type + "." + member.substring(0, member.indexOf(' '));
                        if (unbound.contains(type)) needed.add(type);
                        else if (unbound.contains(method)) needed.add(method);
                        else violations.add("C5 natives.def lacks " + owner + "." + member);
                    }
                }
            }
        }
        for (String name : unbound)
            if (!needed.contains(name) && !lacksModules()) violations.add("unbound list: " + name + " hides nothing");
    }

    // The native methods that a class declares, as "name descriptor".
    Set<String> nativesOf(String owner) {
        Set<String> result = new TreeSet<>();
        declaration(owner).members.forEach((member, access) -> {
            if (member.indexOf(' ') > 0 && (access & Opcodes.ACC_NATIVE) != 0) result.add(member);
        });
        return result;
    }

    // A runtime image made by jlink.
    boolean lacksModules() {
        return !BOUND.stream().allMatch(module -> Files.exists(javaBase.resolveSibling(module)))
                || !Files.exists(javaBase.resolveSibling("java.desktop"));
    }
}
