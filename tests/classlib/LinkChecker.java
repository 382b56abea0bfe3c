// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that the JDK's classes, the overlay and the names in C++ fit each other. javac --patch-module does not: it
// compiles a class without looking at the classes that use it.
//
//   java LinkChecker.java TREE OVERLAY.jar HOME [OVERLAY.jar HOME ...]
//
// TREE is the folder of the sources. Each HOME contains a library, and the OVERLAY.jar before it was made for that
// library. A library is read through its own home's lib/jrt-fs.jar, so that any JDK from 17 on checks all libraries.
//
// C1  If a class of lib/modules uses a field or method of an overlaid class, the overlay's class has an
//     accessible member with that name and descriptor, static if the use requires it, and otherwise not static.
// C2  No class of lib/modules uses a nested class of an overlaid class if the overlay lacks the nested class.
// C3  Every native method of the overlay has a row in natives.def.
// C4  Every row of natives.def for this release names a native method. The method's class is the overlay's, or the
//     JDK's if the overlay lacks the class. A NATIVE_INSTEAD row names a Java method. The method of a NATIVE_IN_SOME
//     row may be missing, but its class must exist. No two rows name the same method.
// C5  Every native method of the modules BOUND has a row for this release.
// C6  Every row of well_known.def and late_bound.def for this release is a member of that name and descriptor.
//
// Classes named in unreachable.txt (one a line, or a package as "a.b.*"; '#' comments) never run on Keyhole, so
// they may violate C1 and C2. Methods named in unbound.txt ("a.b.Class.method", or "a.b.Class" for all of a class; '#'
// and the reason) may lack the row that C5 requires. "since-21", "until-17" or "in-21" after a name limits it to these
// releases. A name that its list does not need is an error, so the lists stay short.
//
// A home may be a runtime image made by jlink: rows and names of modules that it lacks are not checked. Prints each
// violation; the exit code is 1 if there is one.

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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

public class LinkChecker {
    static final int PUBLIC = 0x1, PRIVATE = 0x2, PROTECTED = 0x4, STATIC = 0x8, VARARGS = 0x80, NATIVE = 0x100;

    // The members that a class declares. Keys are "name descriptor" for methods, "name:descriptor" for fields.
    static final class Declared {
        String superName;
        final List<String> interfaces = new ArrayList<>();
        int access;
        final Map<String, Integer> members = new HashMap<>();
    }

    // The checker calls this function for each member and each type that the code of a class uses.
    interface Uses {
        void member(String owner, String member, boolean isStatic);
        void type(String name);
    }

    // ---- class files ------------------------------------------------------------------------------------------------

    // Reads a class file: the constant pool, the tables of members, and the instructions that name a member or a class
    // (JVMS 4 and 6.5).
    static final class ClassFile {
        static final int INVOKESTATIC = 0xB8, INVOKEDYNAMIC = 0xBA, NEW = 0xBB, ANEWARRAY = 0xBD, CHECKCAST = 0xC0,
                INSTANCEOF = 0xC1, WIDE = 0xC4, TABLESWITCH = 0xAA, LOOKUPSWITCH = 0xAB, GETSTATIC = 0xB2,
                INVOKEINTERFACE = 0xB9, IINC = 0x84;

        final ByteBuffer bytes;
        final int[] place;   // the position of each constant's content, after its tag

        ClassFile(byte[] content) {
            bytes = ByteBuffer.wrap(content);
            bytes.position(8);
            place = new int[u2()];
            for (int i = 1; i < place.length; i++) {
                int tag = u1();
                place[i] = bytes.position();
                switch (tag) {
                    case 1: skip(u2()); break;
                    case 5: case 6: skip(8); i++; break;
                    case 7: case 8: case 16: case 19: case 20: skip(2); break;
                    case 15: skip(3); break;
                    default: skip(4);
                }
            }
        }

        static int release(byte[] content) { return ByteBuffer.wrap(content).getShort(6) - 44; }

        int u1() { return bytes.get() & 0xFF; }
        int u2() { return bytes.getShort() & 0xFFFF; }
        int u2(int at) { return bytes.getShort(at) & 0xFFFF; }
        void skip(int count) { bytes.position(bytes.position() + count); }

        String utf8(int index) {
            return new String(bytes.array(), place[index] + 2, u2(place[index]), StandardCharsets.UTF_8);
        }
        String className(int index) { return index == 0 ? null : utf8(u2(place[index])); }
        boolean isField(int reference) { return bytes.get(place[reference] - 1) == 9; }

        // Returns the member's name in the form of the keys of Declared.members.
        String memberName(int reference) {
            int pair = place[u2(place[reference] + 2)];
            return utf8(u2(pair)) + (isField(reference) ? ":" : " ") + utf8(u2(pair + 2));
        }

        // Reads declarations and, if `uses` is not null, also the uses in the code.
        Declared read(Uses uses) {
            Declared result = new Declared();
            result.access = u2();
            skip(2);
            result.superName = className(u2());
            for (int count = u2(); count > 0; count--) result.interfaces.add(className(u2()));
            for (String between : new String[] {":", " "}) {
                for (int count = u2(); count > 0; count--) {
                    int access = u2();
                    result.members.put(utf8(u2()) + between + utf8(u2()), access);
                    for (int attributes = u2(); attributes > 0; attributes--) {
                        boolean isCode = utf8(u2()).equals("Code");
                        int end = bytes.getInt() + bytes.position();
                        if (isCode && uses != null) readCode(uses);
                        bytes.position(end);
                    }
                }
            }
            if (uses != null) readMethodHandles(uses);
            return result;
        }

        // Reads the method handles of the constant pool: the targets of lambdas and method references.
        void readMethodHandles(Uses uses) {
            for (int each : place) {
                if (each == 0 || bytes.get(each - 1) != 15) continue;
                int kind = bytes.get(each), reference = u2(each + 1);
                boolean isStatic = kind == 2 || kind == 4 || kind == 6;   // REF_getStatic, putStatic, invokeStatic
                uses.member(className(u2(place[reference])), memberName(reference), isStatic);
            }
        }

        void readCode(Uses uses) {
            skip(4);
            int length = bytes.getInt(), start = bytes.position();
            while (bytes.position() < start + length) {
                int opcode = u1(), at = bytes.position();
                if (opcode >= GETSTATIC && opcode <= INVOKEINTERFACE) {
                    boolean isStatic = opcode == GETSTATIC || opcode == GETSTATIC + 1 || opcode == INVOKESTATIC;
                    uses.member(className(u2(place[u2(at)])), memberName(u2(at)), isStatic);
                } else if (opcode == NEW || opcode == ANEWARRAY || opcode == CHECKCAST || opcode == INSTANCEOF) {
                    uses.type(className(u2(at)));
                }
                skipOperands(opcode, start);
            }
        }

        void skipOperands(int opcode, int start) {
            if (opcode == WIDE) {
                skip(u1() == IINC ? 4 : 2);
            } else if (opcode == TABLESWITCH || opcode == LOOKUPSWITCH) {
                skip(3 - (bytes.position() - start + 3) % 4 + 4);   // padding to a multiple of four; the default target
                int first = bytes.getInt();
                skip(opcode == LOOKUPSWITCH ? first * 8 : (bytes.getInt() - first + 1) * 4);
            } else {
                skip(operandBytes(opcode));
            }
        }

        static int operandBytes(int opcode) {
            if (opcode == 0x10 || opcode == 0x12 || opcode == 0xBC) return 1;     // bipush, ldc, newarray
            if (opcode == 0x11 || opcode == 0x13 || opcode == 0x14) return 2;     // sipush, ldc_w, ldc2_w
            if (opcode >= 0x15 && opcode <= 0x19) return 1;                       // loads
            if (opcode >= 0x36 && opcode <= 0x3A || opcode == 0xA9) return 1;     // stores, ret
            if (opcode == IINC) return 2;
            if (opcode >= 0x99 && opcode <= 0xA8) return 2;                       // branches
            if (opcode >= GETSTATIC && opcode < INVOKEINTERFACE) return 2;
            if (opcode == INVOKEINTERFACE || opcode == INVOKEDYNAMIC) return 4;
            if (opcode == NEW || opcode == ANEWARRAY || opcode == CHECKCAST || opcode == INSTANCEOF) return 2;
            if (opcode == 0xC5) return 3;                                         // multianewarray
            if (opcode == 0xC6 || opcode == 0xC7) return 2;                       // ifnull, ifnonnull
            return opcode == 0xC8 || opcode == 0xC9 ? 4 : 0;                      // goto_w, jsr_w
        }
    }

    // ---- one library ------------------------------------------------------------------------------------------------

    final Map<String, byte[]> overlay = new LinkedHashMap<>();
    final Map<String, Declared> declared = new HashMap<>();
    final Path javaBase;
    final int release;
    final Set<String> violations = new TreeSet<>();
    final Set<String> unreachable = new TreeSet<>();
    final Set<String> hiding = new TreeSet<>();
    // The modules whose natives all have rows (C5).
    static final List<String> BOUND = List.of("java.base", "java.instrument", "java.management", "java.prefs",
                                              "java.rmi", "jdk.management", "jdk.management.agent", "jdk.net", "jdk.sctp",
                                              "jdk.security.auth");
    // The limit for native methods without a row. If more lack a row, a part of the library is missing.
    static final int MOST_WITHOUT = 60;

    LinkChecker(FileSystem image) throws IOException {
        javaBase = image.getPath("/modules/java.base");
        release = ClassFile.release(Files.readAllBytes(javaBase.resolve("java/lang/Object.class")));
    }

    public static void main(String[] arguments) throws IOException {
        boolean fits = true;
        for (int i = 1; i + 1 < arguments.length; i += 2) {
            URI image = URI.create("jrt:/");
            FileSystem library = FileSystems.newFileSystem(image, Map.of("java.home", arguments[i + 1]));
            fits &= new LinkChecker(library).check(Path.of(arguments[0]), Path.of(arguments[i]));
        }
        System.exit(fits ? 0 : 1);
    }

    boolean check(Path tree, Path jar) throws IOException {
        readOverlay(jar);
        readList(tree.resolve("tests/classlib/unreachable.txt"), unreachable);
        int classes = checkReferences();
        Set<String> rows = checkRows(readRows(tree.resolve("classlib/natives.def")));
        int without = checkBound(rows, tree.resolve("tests/classlib/unbound.txt"));
        int members = checkMembers(tree.resolve("vm/link/well_known.def"))
                + checkMembers(tree.resolve("classlib/natives/late_bound.def"));
        for (String name : unreachable)
            if (!hiding.contains(name)) violations.add("unreachable list: " + name + " hides nothing");
        for (String each : violations) System.out.println(each);
        System.out.println("JDK " + release + ": " + overlay.size() + " classes of the overlay, " + classes
                           + " classes of the JDK, " + rows.size() + " natives and " + without + " without a row, " + members
                           + " members in C++: "
                           + (violations.isEmpty() ? "all fit" : violations.size() + " do not fit"));
        return violations.isEmpty();
    }

    // Returns whether a row or name with this word, such as SINCE, and this bound applies to the library's release.
    boolean isMeant(String word, int bound) {
        switch (word) {
            case "SINCE": case "INSTEAD": return release >= bound;
            case "UNTIL": return release <= bound;
            default: return release == bound;
        }
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

    void readList(Path list, Set<String> names) throws IOException {
        for (String line : Files.readAllLines(list)) {
            String[] words = line.replaceFirst("#.*", "").strip().split("\\s+");
            String[] range = words.length == 1 ? null : words[1].toUpperCase().split("-");
            if (!words[0].isEmpty() && (range == null || isMeant(range[0], Integer.parseInt(range[1]))))
                names.add(words[0]);
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

    // Returns whether the overlay replaces the class, or a class in which it is nested.
    boolean belongsToOverlay(String name) {
        for (int dollar = name.length(); dollar > 0; dollar = name.lastIndexOf('$', dollar - 1))
            if (overlay.containsKey(name.substring(0, dollar))) return true;
        return false;
    }

    void checkClass(String user, byte[] bytes) {
        new ClassFile(bytes).read(new Uses() {
            @Override
            public void member(String owner, String member, boolean isStatic) {
                checkMember(user, owner, member, isStatic);
            }
            @Override
            public void type(String name) {
                checkType(user, name);
            }
        });
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
        if (((access & STATIC) != 0) != isStatic)
            violation(user, "C1 uses " + text + " as " + (isStatic ? "static" : "instance member"));
        if (!canAccess(user, holder, access)) violation(user, "C1 may not access " + text);
        if (!packageOf(user).equals(packageOf(owner)) && (declaration(owner).access & PUBLIC) == 0
            && owner.indexOf('$') < 0)
            violation(user, "C1 may not access class " + owner);
    }

    // MethodHandle.invokeExact and the like fit every descriptor (JVMS 2.9.3).
    boolean isSignaturePolymorphic(String owner, String member) {
        if (!owner.equals("java/lang/invoke/MethodHandle") && !owner.equals("java/lang/invoke/VarHandle")) return false;
        String start = member.substring(0, member.indexOf(' ') + 1) + "([Ljava/lang/Object;)";
        for (Map.Entry<String, Integer> each : declaration(owner).members.entrySet())
            if (each.getKey().startsWith(start) && (each.getValue() & NATIVE) != 0
                && (each.getValue() & VARARGS) != 0)
                return true;
        return false;
    }

    boolean canAccess(String user, String holder, int access) {
        if ((access & PUBLIC) != 0) return true;
        if ((access & PRIVATE) != 0) return outermost(user).equals(outermost(holder));
        if (packageOf(user).equals(packageOf(holder))) return true;
        if ((access & PROTECTED) == 0) return false;
        for (String type = user; type != null; type = declaration(type) == null ? null : declaration(type).superName)
            if (type.equals(holder)) return true;
        return outermost(user).equals(user) ? false : canAccess(outermost(user), holder, access);
    }

    // Resolves a field or method (JVMS 5.4.3.2, 5.4.3.3): searches the class, its superclasses and its interfaces.
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
        byte[] bytes = bytesOf(name);
        Declared result = bytes == null ? null : new ClassFile(bytes).read(null);
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

    // Returns the file of the runtime image that lists the modules which contain the class's package.
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

    // ---- C3 to C6 ---------------------------------------------------------------------------------------------------

    static final class Row {
        String owner, member;
        boolean inSome;   // only some updates of the release declare this member
        boolean instead;  // of a Java method
    }

    // Returns the rows for this release of a table and of the tables that it includes. Names of included files start at
    // the root of the tree.
    List<Row> readRows(Path table) throws IOException {
        Pattern line = Pattern.compile(
                "^NATIVE(?:_(IN_SOME)|_(SINCE|UNTIL|INSTEAD|IN))?\\((?:(\\d+), )?\"([^\"]+)\",\\s+\"([^\"]+)\","
                + "\\s+\"([^\"]+)\",|^#include \"classlib/([^\"]+)\"", Pattern.MULTILINE);
        List<Row> rows = new ArrayList<>();
        for (Matcher matcher = line.matcher(Files.readString(table)); matcher.find(); ) {
            if (matcher.group(7) != null) {
                rows.addAll(readRows(table.resolveSibling(matcher.group(7))));
                continue;
            }
            if (matcher.group(2) != null && !isMeant(matcher.group(2), Integer.parseInt(matcher.group(3)))) continue;
            Row row = new Row();
            row.owner = matcher.group(4);
            row.member = matcher.group(5) + " " + matcher.group(6);
            row.inSome = matcher.group(1) != null;
            row.instead = "INSTEAD".equals(matcher.group(2));
            rows.add(row);
        }
        return rows;
    }

    // Checks C3 and C4. Returns the rows as "owner.member".
    Set<String> checkRows(List<Row> rows) {
        Set<String> names = new TreeSet<>();
        for (Row row : rows) {
            String name = row.owner + "." + row.member;
            if (!names.add(name)) violations.add("C4 natives.def has two rows for " + name);
            Declared known = declaration(row.owner);
            if (known == null && lacksModules() && !Files.exists(packageEntry(row.owner))) continue;
            Integer access = known == null ? null : known.members.get(row.member);
            if (access == null && row.inSome && known != null) continue;
            if (access == null || (access & NATIVE) == 0 != row.instead)
                violations.add("C4 natives.def: no native method " + name);
        }
        for (String owner : overlay.keySet())
            for (String member : nativesOf(owner))
                if (!names.contains(owner + "." + member))
                    violations.add("C3 natives.def lacks " + owner + "." + member);
        return names;
    }

    // Checks C5. Returns the number of native methods that have no row, and are listed with a reason.
    int checkBound(Set<String> rows, Path list) throws IOException {
        int without = 0;
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
                        ++without;
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
        if (without > MOST_WITHOUT) violations.add("C5 " + without + " natives have no row");
        return without;
    }

    // Checks C6. Returns the number of rows for this release.
    int checkMembers(Path table) throws IOException {
        Pattern row = Pattern.compile(
                "\\b(LATE|WELL_KNOWN)_CLASS(?:_(SINCE|UNTIL|IN))?\\((?:(\\d+), )?(\\w+), \"([^\"]+)\""
                + "|\\b(?:WELL_KNOWN_)?(FIELD|STATIC|METHOD)(?:_(SINCE|UNTIL|IN))?\\((?:(\\d+), )?(?:([A-Z]\\w*), )?"
                + "\\w+,\\s+\"([^\"]+)\",\\s+\"([^\"]+)\"\\)");
        Map<String, String> classes = new HashMap<>();
        int count = 0;
        String latest = null;
        String text = Files.readString(table).replaceAll("(?m)^//.*$", "");
        for (Matcher matcher = row.matcher(text); matcher.find(); ) {
            boolean isClass = matcher.group(1) != null;
            String word = matcher.group(isClass ? 2 : 7);
            boolean meant = word == null || isMeant(word, Integer.parseInt(matcher.group(isClass ? 3 : 8)));
            if (isClass) {
                latest = meant ? matcher.group(5) : null;
                classes.put(matcher.group(4), latest);
                continue;
            }
            String owner = matcher.group(9) == null ? latest : classes.get(matcher.group(9));
            if (!meant || owner == null) continue;
            count++;
            Declared known = declaration(owner);
            if (known == null && lacksModules() && !Files.exists(packageEntry(owner))) continue;
            String member = matcher.group(10) + (matcher.group(6).equals("METHOD") ? " " : ":") + matcher.group(11);
            if (known == null || !known.members.containsKey(member))
                violations.add("C6 " + table.getFileName() + ": no " + owner + "." + member);
        }
        return count;
    }

    // Returns the native methods that a class declares, as "name descriptor".
    Set<String> nativesOf(String owner) {
        Set<String> result = new TreeSet<>();
        declaration(owner).members.forEach((member, access) -> {
            if (member.indexOf(' ') > 0 && (access & NATIVE) != 0) result.add(member);
        });
        return result;
    }

    // Returns whether the home is a runtime image made by jlink.
    boolean lacksModules() {
        return !BOUND.stream().allMatch(module -> Files.exists(javaBase.resolveSibling(module)))
                || !Files.exists(javaBase.resolveSibling("java.desktop"));
    }
}
