#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the command line and bad input: java and Keyhole get the same arguments, and must give the same text and exit
code.

Each case is a list of arguments, run in a scratch folder that holds the files made below. The cases of the list `ONLY`
run on Keyhole alone, because java has no counterpart or prints a text about the JDK. Each case of `ONLY` states the
expected output.
"""
import ctypes
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import zipfile

from chosen_home import chosen_home, home_over, release

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
RELEASE = release(JDK)
VERSION = re.search(r"project\(keyhole VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
WORK = ROOT / "build" / "launcher-tests"
TGKILL = 234   # the number of the system call on x86-64

SOURCES = {
    "Good.java": 'public class Good { public static void main(String[] a) { System.out.println("good " + a.length); } }',
    "OpenFiles.java": "public class OpenFiles { public static void main(String[] a) throws Exception {"
    " var system = (com.sun.management.UnixOperatingSystemMXBean)"
    " java.lang.management.ManagementFactory.getOperatingSystemMXBean();"
    ' var child = new ProcessBuilder("bash", "-c", "ulimit -Sn").start();'
    ' System.out.println(system.getMaxFileDescriptorCount() + " "'
    ' + new String(child.getInputStream().readAllBytes()).strip()); } }',
    "Needs.java": 'public class Needs { public static void main(String[] a) { System.out.println("before"); new Gone().go(); } }\n'
    "class Gone { void go() {} }",
    # When the launcher searches for main, it loads the classes in the signatures of public methods. It loads no classes
    # for the signatures of other methods.
    "Signed.java": 'public class Signed { public Gone lost() { return null; } public static void main(String[] a) { System.out.println("not reached"); } }',
    "Throwing.java": 'public class Throwing { public void lost() throws GoneToo {} public static void main(String[] a) { System.out.println("not reached"); } }\n'
    "class GoneToo extends Exception {}",
    "Unsigned.java": 'public class Unsigned { private Gone lost() { return null; } void lost(Gone g) {} public static void main(String[] a) { System.out.println("reached"); } }',
    # Accesses packages that java.base does not export or does not open.
    "Internal.java": "public class Internal { static class Zone extends sun.util.calendar.ZoneInfo {} interface Run { Object run() throws Throwable; }\n"
    '  static void show(Run r) { try { System.out.println(r.run()); } catch (Throwable e) { System.out.println(e.toString().replaceAll("@[0-9a-fx]+", "@")); } }\n'
    "  public static void main(String[] a) { show(() -> jdk.internal.misc.VM.initLevel()); show(() -> new Zone().getClass()); show(() -> a instanceof Object ? sun.util.calendar.ZoneInfo[].class : 0);\n"
    '  show(() -> { var f = String.class.getDeclaredField("hash"); f.setAccessible(true); return f.get(""); }); show(() -> System.getProperty("jdk.module.addexports.0")); } }',
    "Api.java": "public class Api { int kept = 1; int lost = 2; void stays() {} static void goes() {} }",
    "User.java": "public class User { public static void main(String[] a) { Api x = new Api(); x.stays(); System.out.println(x.kept);\n"
    "  try { System.out.println(x.lost); } catch (Error e) { System.out.println(e); }\n"
    "  try { Api.goes(); } catch (Error e) { System.out.println(e); } } }",
    "NativeUser.java": "public class NativeUser { static native void missing(int x, String y); public static void main(String[] a) {\n"
    "  try { missing(1, null); } catch (UnsatisfiedLinkError e) { System.out.println(e.getMessage()); }\n"
    '  try { System.loadLibrary("nosuch"); } catch (UnsatisfiedLinkError e) { System.out.println(e.getMessage().startsWith("no nosuch in java.library.path")); } } }',
    # The program has one application thread, beside the VM's threads for references, cleaners and processes. In the
    # mode `none`, which has no locks, a notification between these threads can get lost, but the next notification
    # arrives.
    "Alone.java": "public class Alone { static int cleaned; static java.lang.ref.Cleaner cleaner = java.lang.ref.Cleaner.create();\n"
    "  static void makeOneThatDies() { Object dies = new Object(); cleaner.register(dies, () -> cleaned++);\n"
    "    java.lang.ref.Reference.reachabilityFence(dies); }   // java.base sets the action last: what dies before is cleaned without one\n"
    "  public static void main(String[] a) throws Exception { Object o = new Object();\n"
    '  synchronized (o) { synchronized (o) { System.out.println("alone " + Thread.holdsLock(o)); o.wait(5); } }\n'
    "  try { o.notify(); } catch (IllegalMonitorStateException e) { System.out.println(e.getMessage()); }\n"
    "  for (int i = 0; i < 1000 && cleaned == 0; i++) { makeOneThatDies(); System.gc(); Thread.sleep(10); }\n"
    '  System.out.println((cleaned > 0 ? 1 : 0) + " " + new ProcessBuilder("true").start().waitFor());\n'
    '  try { Thread t = new Thread(() -> {}); t.start(); t.join(); System.out.println("two"); } catch (UnsupportedOperationException e) { System.out.println(e.getMessage()); } } }',
    "Streams.java": "public class Streams { public static void main(String[] a) throws Exception { long n = 0;\n"
    '  try (var in = Streams.class.getResourceAsStream("/large.txt")) { byte[] b = new byte[8192]; for (int k; (k = in.read(b)) >= 0; ) n += k; }\n'
    '  System.out.println(n); try { Class.forName("Large"); } catch (OutOfMemoryError e) { System.out.println(e); } } }',
    # Each Deflater takes 256 KiB of memory outside of the heap.
    "Deflaters.java": "import java.util.zip.Deflater; public class Deflaters { public static void main(String[] a) { var all = new java.util.ArrayList<Deflater>();\n"
    '  try { for (;;) all.add(new Deflater()); } catch (OutOfMemoryError e) { for (Deflater each : all) each.end(); System.out.println(e + " " + (all.size() > 10)); } } }',
    # 6000 class loaders define the same class, and the program drops each loader at once.
    "Loads.java": "public class Loads { static class Item {} static class Loader extends ClassLoader { Class<?> define(byte[] b) { return defineClass(null, b, 0, b.length); } }\n"
    '  public static void main(String[] a) throws Exception { System.out.println("loads"); byte[] b = Loads.class.getResourceAsStream("Loads$Item.class").readAllBytes(); int n = 0;\n'
    '  try { for (; n < 6000; n++) new Loader().define(b); } catch (OutOfMemoryError e) { System.out.println(e); } System.out.println(n == 6000 ? "all true" : "all false"); } }',
    "Home.java": "public class Home { static void run(String... command) throws Exception { Process p = new ProcessBuilder(command).redirectErrorStream(true).start();\n"
    "    p.getOutputStream().close(); System.out.print(new String(p.getInputStream().readAllBytes())); System.out.println(p.waitFor()); }\n"
    '  public static void main(String[] a) throws Exception { String vm = System.getProperty("java.home") + "/bin/java";\n'
    '  if (a.length > 0) { System.out.println("child " + System.getProperty("java.vm.name") + " " + vm.equals(a[0])); return; }\n'
    '  run(vm, "-version"); run(vm, "-cp", System.getProperty("java.class.path"), "Home", vm);\n'
    '  run(ProcessHandle.current().info().command().get(), "-cp", System.getProperty("java.class.path"), "Home", vm);\n'
    '  System.out.println(java.time.ZoneId.of("Europe/Vienna").getRules().isFixedOffset() + java.util.Currency.getInstance("EUR").getSymbol() + java.security.Security.getProperty("keystore.type"));\n'
    '  var keys = java.security.KeyStore.getInstance(new java.io.File(System.getProperty("java.home"), "lib/security/cacerts"), "changeit".toCharArray());\n'
    "  System.out.println(keys.size() > 10); } }",
    "Limits.java": "public class Limits { public static void main(String[] a) { Runtime r = Runtime.getRuntime(); long m = ((com.sun.management.OperatingSystemMXBean)\n"
    '  java.lang.management.ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize(); System.out.println(r.availableProcessors() + " " + Math.round(100.0 * r.maxMemory() / m)); } }',
    # Prints which versions of classes and resources of a multi-release jar the VM finds.
    "Which.java": "public class Which { public static void main(String[] a) throws Exception { System.out.println(Chosen.text() + \" \" + new Only().toString());\n"
    '  ClassLoader l = Which.class.getClassLoader(); for (String s : new String[] {"data/a.txt", "data/b.txt", "META-INF/x.txt", "META-INF/versions/9/data/a.txt", "data", "Chosen.class"}) {\n'
    '    var u = l.getResource(s); System.out.println(u == null ? s + " none" : u.toString().replaceAll("file:.*/", "")); var in = l.getResourceAsStream(s);\n'
    '    if (in != null && s.endsWith("txt")) System.out.println(new String(in.readAllBytes()) + new String(u.openStream().readAllBytes()) + java.util.Collections.list(l.getResources(s)).size()); }\n'
    "  System.out.println(Chosen.class.getProtectionDomain().getCodeSource().getLocation().toString().replaceAll(\".*/\", \"\")); } }",
    "Chosen.java": 'public class Chosen { static String text() { return "first"; } }',
    "Only.java": 'public class Only { public String toString() { return "only"; } }',
    "Stay.java": 'public class Stay { public static void main(String[] a) throws Exception { System.out.println("here"); Thread.sleep(60_000); } }',
    "Collected.java": 'public class Collected { static volatile Object last; public static void main(String[] a) throws Exception { for (int i = 0; i < 1_000_000; i++) last = new byte[200]; System.out.println("here"); Thread.sleep(60_000); } }',
    "Direct.java": "public class Direct { public static void main(String[] a) { java.nio.ByteBuffer.allocateDirect(1 << 20); try { java.nio.ByteBuffer.allocateDirect(1 << 20); } catch (OutOfMemoryError e) { System.out.println(e); } } }",
    "Appended.java": 'public class Appended { public static void main(String[] a) throws Exception { Class<?> c = Class.forName("app.Late");\n'
    '  System.out.println(c.getClassLoader() + " " + c.getModule().isNamed() + " " + c.getField("x").get(null)); } }',
    "Busy.java": "public class Busy { public static void main(String[] a) throws Exception { for (int i = 0; i < 100000; i++) System.out.println(i); } }",
    "Circle.java": "class CircleA extends CircleB { } class CircleB { } public class Circle { public static void main(String[] a) {\n"
    "  try { new CircleA(); } catch (Error e) { System.out.println(e); } } }",
}

# A class has static fields of every type, and more of them than an instruction's 16-bit offset reaches. The class
# initialiser and two threads use the fields.
TYPES = ["int", "long", "byte", "char", "double", "String", "boolean", "short", "float"]
SOURCES["Statics.java"] = (
    "public class Statics {\n"
    + "".join(f"  static {'volatile ' if i % 7 == 0 else ''}{TYPES[i % 9]} f{i};\n" for i in range(20000))
    + """
  static { f19998 = 7; f19999 = 1L << 40; for (int i = 0; i < 3; i++) f19998 += i; }
  static long use(int n) {
    f19998 += n; f19999 -= n; f19991 += (byte) n; f19992 = (char) (f19992 - 1); f19993 += 0.5; f19994 = f19994 + n; f19995 = !f19995; f19996 -= 3; f19997 *= 2;
    f19600++; f19605++; f19607 = n + "v" + f19607; f19614 -= 2; f19621 += 1;
    return f19998 + f19999 + f19991 + f19992 + (long) f19993 + f19994.length() + (f19995 ? 1 : 0) + f19996 + (long) f19997 + f19614 + f1;
  }
  public static void main(String[] a) throws Exception {
    f19994 = ""; f19997 = 1.5f;
    for (int i = 0; i < 5; i++) System.out.println(use(i));
    Thread other = new Thread(() -> System.out.println(use(9) + f19607)); other.start(); other.join();
    System.gc();
    System.out.println(f19994 + f19997 + (int) f19605 + f19600 + " " + f19607 + " " + f19621);
  }
}
"""
)


def prepare():
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "classes").mkdir(parents=True)
    for name, text in SOURCES.items():
        (WORK / name).write_text(text)
    subprocess.run(
        [
            str(JDK / "bin/javac"),
            "-XDignore.symbol.file",
            "-nowarn",
            "--add-exports",
            "java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-exports",
            "java.base/sun.util.calendar=ALL-UNNAMED",
            "-d",
            "classes",
        ]
        + sorted(SOURCES),
        cwd=WORK,
        check=True,
    )
    classes = WORK / "classes"
    (classes / "Gone.class").unlink()
    (classes / "GoneToo.class").unlink()
    # A library class that changed after its user was compiled.
    (WORK / "second").mkdir()
    (WORK / "second" / "Api.java").write_text("public class Api { int kept = 1; void stays() {} }")
    subprocess.run([str(JDK / "bin/javac"), "-d", "../classes", "Api.java"], cwd=WORK / "second", check=True)
    # Circular superclasses: CircleB compiled to extend CircleA.
    (WORK / "second" / "CircleB.java").write_text("class CircleB extends CircleA { } class CircleA { }")
    subprocess.run([str(JDK / "bin/javac"), "-d", "circle", "CircleB.java"], cwd=WORK / "second", check=True)
    shutil.copy(WORK / "second" / "circle" / "CircleB.class", classes / "CircleB.class")
    (WORK / "second" / "Late.java").write_text("package app; public class Late { public static int x = 7; }")
    subprocess.run([str(JDK / "bin/javac"), "-d", "../late", "Late.java"], cwd=WORK / "second", check=True)
    (WORK / "second" / "script").write_text(
        '#!/usr/bin/env java --source 17\npublic class Script { public static void main(String[] a) { System.out.println("script " + a.length); } }\n'
    )
    good = (classes / "Good.class").read_bytes()
    for name, data in {
        "Empty": b"",
        "Magic": b"\xde\xad\xbe\xef" + good[4:],
        "Short": good[: len(good) // 2],
        "Version": good[:4] + b"\0\0\0\xff" + good[8:],
        "Tail": good + b"\0\0",
    }.items():
        (WORK / "bad").mkdir(exist_ok=True)
        (WORK / "bad" / f"{name}.class").write_bytes(data)
    (WORK / "bad" / "Renamed.class").write_bytes(good)
    with zipfile.ZipFile(WORK / "good.jar", "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\nMain-Class: Good\r\n\r\n")
        jar.writestr("Good.class", good)
    with zipfile.ZipFile(WORK / "linked.jar", "w") as jar:   # the class is in the jar that the manifest names
        jar.writestr(
            "META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\nMain-Class: Good\r\nClass-Path: none.jar good.jar\r\n\r\n"
        )
    with zipfile.ZipFile(WORK / "nomain.jar", "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n\r\n")
    with zipfile.ZipFile(
        WORK / "large.jar", "w", zipfile.ZIP_DEFLATED, compresslevel=1
    ) as jar:  # a class, and a resource
        for name in ("Large.class", "large.txt"):
            with jar.open(name, "w") as entry:
                for _ in range(64):
                    entry.write(b"\0" * (1 << 20))
    # The jar has a class and two resources in versions for 9, 17, 21 and later.
    versions = {9: "nine", 17: "seventeen", 21: "twenty-one", 25: "twenty-five", 99: "future"}
    for text in versions.values():
        (WORK / "second" / "Chosen.java").write_text(
            f'public class Chosen {{ static String text() {{ return "{text}"; }} }}'
        )
        subprocess.run([str(JDK / "bin/javac"), "-d", f"../version-{text}", "Chosen.java"], cwd=WORK / "second", check=True)
    for name, says in {"versions.jar": "Multi-Release: TRUE\r\n", "plain.jar": "Multi-Release: false\r\n"}.items():
        with zipfile.ZipFile(WORK / name, "w") as jar:
            jar.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\r\nMain-Class: Which\r\n{says}\r\n")
            for entry in ("Which", "Chosen", "Only"):
                jar.writestr(f"{entry}.class", (classes / f"{entry}.class").read_bytes())
            jar.writestr("data/a.txt", "base ")
            jar.writestr("META-INF/x.txt", "base ")
            jar.writestr("META-INF/versions/9/META-INF/x.txt", "nine ")
            jar.writestr("META-INF/versions/11/data/b.txt", "eleven ")
            jar.writestr("META-INF/versions/8/data/a.txt", "eight ")
            for version, text in versions.items():
                jar.writestr(f"META-INF/versions/{version}/data/a.txt", text + " ")
                jar.writestr(
                    f"META-INF/versions/{version}/Chosen.class", (WORK / f"version-{text}" / "Chosen.class").read_bytes()
                )
    (WORK / "broken.jar").write_bytes((WORK / "good.jar").read_bytes()[:100])


SAME_AS_JAVA = [
    ["-cp", "classes", "Good", "a", "b"],
    ["-jar", "good.jar", "x"],
    ["-jar", "nomain.jar"],
    ["-jar", "broken.jar"],
    ["-jar", "none.jar"],
    ["-cp", "good.jar", "Good"],
    ["-cp", "linked.jar", "Good"],
    ["-jar", "linked.jar", "x"],
    ["-cp", "none:good.jar:alsonone", "Good"],
    ["-jar", "versions.jar"],
    ["-cp", "good.jar:versions.jar", "Which"],
    ["-jar", "plain.jar"],
    ["-classpath", "classes", "Good"],
    ["--class-path", "classes", "Good"],
    ["--class-path=classes", "Good"],
    ["-cp"],
    ["Nope"],
    ["-cp", "classes", "no.such.Main"],
    ["-cp", "classes", "classes/Good"],
    ["classes"],
    ["-XX:+UseTLABB", "Good"],
    ["-XX:+NoSuchFlagAtAll", "Good"],
    ["-XX:Maxheapsize=3", "Good"],
    ["-XX:UseTLAB", "Good"],
    ["-XX:+MaxHeapSize", "Good"],
    ["-Xmxabc", "Good"],
    ["-Xmx1", "-cp", "classes", "Good"],
    ["-Xss1", "Good"],
    ["-Xssabc", "Good"],
    ["-nosuchoption", "Good"],
    ["-Xlog:nosuchtag", "Good"],
    ["-Xlog:gc=loud", "Good"],
    ["-Xms64m", "-Xmx32m", "-cp", "classes", "Good"],
    ["-cp", "classes", "Needs"],
    ["-cp", "classes", "Signed"],
    ["-cp", "classes", "Throwing"],
    ["-cp", "classes", "Unsigned"],
    ["-cp", "classes", "User"],
    ["-cp", "classes", "NativeUser"],
    ["-cp", "classes", "Circle"],
    ["-cp", "classes", "Statics"],
    ["-cp", "bad", "Empty"],
    ["-cp", "bad", "Magic"],
    ["-cp", "bad", "Short"],
    ["-cp", "bad", "Tail"],
    ["-cp", "bad", "Renamed"],
    ["-Xmx32m", "-Xms8m", "-Xss512k", "-cp", "classes", "Good"],
    ["-Dx=y", "-ea", "-esa", "-server", "-Xshare:auto", "-cp", "classes", "Good", "-Dnot=mine"],
    ["-cp", "classes", "Internal"],
    ["--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "-cp", "classes", "Internal"],
    [
        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
        "--add-exports=java.base/sun.util.calendar=ALL-UNNAMED",
        "-cp",
        "classes",
        "Internal",
    ],
    ["--add-opens", "java.base/java.lang=ALL-UNNAMED", "-cp", "classes", "Internal"],
    ["--add-exports"],
    ["--add-opens", "java.base/x", "-cp", "classes", "Internal"],
    ["--add-exports", "java.base=x", "-cp", "classes", "Internal"],
    ["--add-exports", "nope/x=ALL-UNNAMED", "-cp", "classes", "Good"],
    ["--add-exports", "java.base/nope=ALL-UNNAMED", "-cp", "classes", "Good"],
    ["-p"],
    ["-XX:+UnlockDiagnosticVMOptions", "-XX:+UnlockExperimentalVMOptions", "-cp", "classes", "Good"],
    ["-Xmx24m", "-cp", "classes:large.jar", "Streams"],
    ["-Xms2g", "-Xmx1g", "-version"],
    ["-Xmxabc", "-version"],
    ["-XX:+NoSuchFlagAtAll", "-version"],
    ["--add-opens", "-version"],
    ["-p", "-version"],
    ["-cp", "-version"],
    ["-d", "-version"],
    ["-version:1.8", "Good"],
    ["-version:", "Good"],
    ["-Xbootclasspath:x", "-version"],
    ["-Xbootclasspath/p:x", "-version"],
    ["-Xbootclasspath/a:late", "-cp", "classes", "Appended"],
    ["-Xbootclasspath/a:none:late", "-cp", "classes", "Appended"],
    ["-Xverify:loud", "-version"],
    ["-XX:-UseSerialGC", "-XX:-UseZGC", "-XX:MaxRAMPercentage=abc", "-version"],
    ["-XX:+ErrorFile", "-version"],
    ["-XX:+CICompilerCount", "-version"],
    ["-XX:UseStringDeduplication", "-version"],
    ["-XX:CICompilerCount", "-version"],
    ["-XX:ActiveProcessorCount=7", "-XX:MaxRAMPercentage=10", "-cp", "classes", "Limits"],
    ["-XX:MaxRAMPercentage=12.5", "-XX:MaxRAM=1g", "-Xms16m", "-cp", "classes", "Good"],
    ["-XX:MaxDirectMemorySize=1500k", "-cp", "classes", "Direct"],
    ["-XX:+TieredCompilation", "-XX:-OmitStackTraceInFastThrow", "-XX:+UseCompressedOops", "-cp", "classes", "Good"],
    ["-Xnoagent", "-Xcheck:jni", "-Xbatch", "-splash:none", "-cp", "classes", "Good"],
    ["-Xfuture", "-cp", "classes", "Good"],
    ["--source"],
    ["--source", "17"],
    ["--source", "-version"],
    ["--source", "17", "nosuch.java"],
    ["--source", "17", "-cp", "classes", "Gone"],
    ["--source", "17", "Good.java", "a"],
    ["--source", "17", "second/script", "x", "y"],
]

# variables of the environment, arguments
SAME_WITH_ENVIRONMENT = [
    ({"JAVA_TOOL_OPTIONS": "-Dx=y -Xmx64m"}, ["-cp", "classes", "Good"]),
    ({"JAVA_TOOL_OPTIONS": "foo"}, ["-version"]),
    ({"JAVA_TOOL_OPTIONS": "-cp foo"}, ["-version"]),
    ({"JAVA_TOOL_OPTIONS": "-version"}, ["-cp", "classes", "Good"]),
    ({"JAVA_TOOL_OPTIONS": "-nosuch"}, ["-cp", "classes", "Good"]),
    ({"JAVA_TOOL_OPTIONS": "-Dx='abc"}, ["-cp", "classes", "Good"]),
    ({"JDK_JAVA_OPTIONS": "-cp classes -Da='b c'"}, ["Good", "x"]),
    ({"JDK_JAVA_OPTIONS": "-Dx=y -version"}, ["Good"]),
    ({"JDK_JAVA_OPTIONS": "-jar x"}, ["Good"]),
    ({"JDK_JAVA_OPTIONS": "Good"}, ["Good"]),
    ({"JDK_JAVA_OPTIONS": "@nosuch"}, ["Good"]),
    ({"JDK_JAVA_OPTIONS": "-Dx='abc"}, ["Good"]),
    ({"_JAVA_OPTIONS": "-Xmx64m"}, ["-Xmx32m", "-cp", "classes", "Good"]),
    ({"JDK_JAVA_OPTIONS": "-cp classes", "JAVA_TOOL_OPTIONS": "-Dx=y", "_JAVA_OPTIONS": "-Dz=y"}, ["Good"]),
    ({"JAVA_TOOL_OPTIONS": ""}, ["-cp", "classes", "Good"]),
]

# arguments, exit code, pattern that standard output and standard error together must match
ONLY = [
    (["-fullversion"], 0, rf"^keyhole full version \"\S+\" over class library \"{RELEASE}\."),
    (["-XX:+PrintFlagsFinal", "-version"], 0, r"(?s) intx ActiveProcessorCount .*library version"),
    (["-XX:+PrintLockingModes", "-version"], 0, r"(?s)^LockingMode .*library version"),
    (
        ["-XX:LockingMode=lightwieght", "-version"],
        1,
        r"^Error occurred during initialization of VM\nLockingMode=lightwieght is not among",
    ),
    (
        ["-Djava.home=/nonexistent", "-version"],
        1,
        r"^Error occurred during initialization of VM\n/nonexistent is not the home of a JDK 17",
    ),
    (["-Xlog:help"], 0, r"(?s)^-Xlog\[.*trace.*uptime \(u\).*gc\+heap.*monitorinflation.*stderr.*-Xlog:gc\*=debug"),
    (["-XX:+UseTLABB", "-version"], 1, r"\nDid you mean '\(\+/-\)UseTLAB'\?\nError: Could not create"),
    (
        ["-XshowSettings:vm", "-Xmx100m", "-Xms50m", "-Xss1m", "-version"],
        0,
        r"^VM settings:\n    Stack Size: 1\.00M\n    Min\. Heap Size: 50\.00M\n    Max\. Heap Size: 100\.00M\n    Using VM: Keyhole VM\n\nKeyhole [^\n]* library version",
    ),
    (
        ["-XshowSettings:properties", "-version"],
        0,
        r"^Property settings:\n.*    java\.vm\.name = Keyhole VM\n.*library version",
    ),
    (
        ["-XshowSettings:locale", "-cp", "classes", "Good"],
        0,
        r"Locale settings:\n    default locale = .*\ngood 0|^good 0\nLocale settings:",
    ),
    (["-XshowSettings", "-cp", "classes", "Good"], 0, r"(?s)VM settings:.*Property settings:.*Locale settings"),
    (
        [
            "-XX:+UseG1GC",
            "-XX:+UseStringDeduplication",
            "-XX:+TieredCompilation",
            "-XX:CompileThreshold=4",
            "-cp",
            "classes",
            "Good",
        ],
        0,
        r"^good 0\nKeyhole VM warning: -XX:\+UseG1GC has no effect: [^\n]*\nKeyhole VM warning: -XX:\+UseStringDeduplication has no effect: [^\n]*\n"
        r"Keyhole VM warning: -XX:CompileThreshold=4 has no effect: [^\n]*\n$",
    ),
    (
        ["-XX:+UseSerialGC", "-XX:+UseParallelGC", "-cp", "classes", "Good"],
        1,
        r"^Error occurred during initialization of VM\nMultiple garbage collectors selected\n",
    ),
    (
        ["-XX:MaxRAMPercentage=101", "-version"],
        1,
        r"^double MaxRAMPercentage=101\.000000 is outside the allowed range \[ 0\.000000 \.\.\. 100\.000000 \]\n",
    ),
    (
        ["-XX:+PrintGCDetails", "-Xmx8m", "-cp", "classes", "Good"],
        0,
        r"\[warning\]\[gc\] -XX:\+PrintGCDetails is deprecated\. Will use -Xlog:gc\* instead\.\n.*\[gc\] Using .*good 0",
    ),
    (
        ["-XX:+PrintCommandLineFlags", "-Xmx32m", "-version"],
        0,
        r"^-XX:MaxHeapSize=33554432 -XX:\+PrintCommandLineFlags\n",
    ),
    (
        ["-Xverify:none", "-cp", "classes", "Good"],
        0,
        r"^good 0\nKeyhole VM warning: Options -Xverify:none and -noverify were deprecated",
    ),
    # A program starts Keyhole as a child VM, and finds everything below its home.
    (
        ["-cp", "classes", "Home"],
        0,
        r"^Keyhole .* library version .*\n0\nchild Keyhole VM true\n0\nchild Keyhole VM true\n0\nfalse(EUR|€)pkcs12\ntrue\n$",
    ),
    (["-jar"], 1, r"^Error: -jar requires jar file specification\n.*Usage: keyhole"),
    (["-version"], 0, rf"Keyhole {VERSION}( \(commit [0-9a-f]{{12}}(-dirty)?\))?, library version \"{RELEASE}.*OpenJDK {RELEASE}\S* class library.*Keyhole 64-Bit VM"),
    (["--version"], 0, r"Keyhole 64-Bit VM .*mixed mode"),
    (["-Xint", "-version"], 0, r"Keyhole 64-Bit VM .*interpreted mode"),
    (["-Xcomp", "-version"], 0, r"Keyhole 64-Bit VM .*compiled mode"),
    # The help must fit a terminal of 80 columns.
    (["--help"], 0, r"^Usage: keyhole(?:[^\n]{0,80}\n)+$"),
    (["--show", "--help"], 0, r"^Usage: keyhole(?:[^\n]{0,80}\n)+$"),
    (["--look", "--help"], 0, r"^Usage: keyhole(?:[^\n]{0,80}\n)+$"),
    (["lock", "--help"], 0, r"^Usage: keyhole lock new(?:[^\n]{0,80}\n)+$"),
    (["--compare-locks", "--help"], 0, r"^Usage: keyhole(?:[^\n]{0,80}\n)+$"),
    (["--explain"], 0, r"^Lessons(?:[^\n]{0,80}\n)+$"),
    ([], 1, r"Usage: keyhole"),
    (["-X"], 0, r"-XX:\[\+-\]UseTLAB"),
    (["-XX:+PrintFlagsFinal"], 0, r"MaxHeapSize +="),
    (
        ["-XX:GCStressInterval=-1", "Good"],
        1,
        r"intx GCStressInterval=-1 is outside the allowed range \[ 0 \.\.\. 1000000000 \]",
    ),
    (["-XX:LockingMode=nonsense", "-cp", "classes", "Good"], 1, r"LockingMode"),
    (
        ["-XX:LockingMode=none", "-cp", "classes", "Alone"],
        0,
        r"^alone true\ncurrent thread is not owner\n1 0\nLockingMode=none runs one application thread: nothing would keep a second one out",
    ),
    (["-XX:LockingMode=2", "-cp", "classes", "Alone"], 0, r"^alone true\ncurrent thread is not owner\n1 0\ntwo\n$"),
    (
        ["-XX:LockingMode=traced", "-XX:TracedLocking=legacy", "-Xlog:locking", "-cp", "classes", "Alone"],
        0,
        r"\[locking\] thread (\d+) object (\d+) \(java\.lang\.Object\) enter: 01 free -> 00 held by \1\n.*"
        r"thread \1 object \2 \(java\.lang\.Object\) wait: 00 held by \1 -> 10 held by \1\n.*two\n",
    ),
    (
        ["-XX:LockingMode=0", "-XX:Succession=direct", "-XX:SuccessorVariant=v4", "-cp", "classes", "Good"],
        1,
        r"nobody sets the successor hint",
    ),
    (
        ["-XX:+UseTinyObjectHeaders", "-XX:LockingMode=cjm-by", "-cp", "classes", "Good"],
        1,
        r"it puts the address of a queue element into the header, and beside the klass",
    ),
    (
        ["-XX:+UseTinyObjectHeaders", "-XX:-UseObjectMonitorTable", "-cp", "classes", "Good"],
        1,
        r"with -XX:\+UseObjectMonitorTable it does run",
    ),
    (
        ["-XX:+UseTinyObjectHeaders", "-XX:-UseCompactObjectHeaders", "-cp", "classes", "Good"],
        1,
        r"asks for 4 bytes, -XX:-UseCompactObjectHeaders for 12",
    ),
    (
        ["-XX:+UseTinyObjectHeaders", "-XX:LockingMode=traced", "-XX:TracedLocking=legacy", "-cp", "classes", "Good"],
        1,
        r"4-byte headers",
    ),
    (
        ["-XX:+UseTinyObjectHeaders", "-XX:+PrintLockingModes", "-cp", "classes", "Good"],
        0,
        r"(?s)legacy .*compact, classic: tiny has no room for the address of a lock record.*good 0",
    ),
    (
        ["-XX:LockingMode=pthread", "-XX:+RestrictConcurrency", "-cp", "classes", "Good"],
        1,
        r"RestrictConcurrency is about ObjectMonitors",
    ),
    (
        ["-XX:LockingMode=cjm-by", "-XX:+RestrictConcurrency", "-cp", "classes", "Good"],
        1,
        r"RestrictConcurrency would change nothing under LockingMode=cjm-by",
    ),
    (
        ["-cp", "bad", "Version"],
        1,
        r"UnsupportedClassVersionError: Version has been compiled by a more recent version of the Java Runtime",
    ),
    (["-Djava.home=/nowhere", "-cp", "classes", "Good"], 1, r"/nowhere"),
    (["Good.java", "a", "b", "c"], 0, r"^good 3\n$"),
    (["Busy.java"], 0, r"99999\n$"),
    # Unused classes are unloaded when their metadata reaches its limit, and when class ids are used up. With
    # -XX:-ClassUnloading they are not unloaded.
    (
        ["-Xlog:class+unload,gc", "-XX:MetaspaceSize=8m", "-XX:MaxMetaspaceSize=20m", "-cp", "classes", "Loads"],
        0,
        r"\[class,unload\] unloading class Loads\$Item 0x[0-9a-f]{16}\n.*Pause Full \(Metadata GC Threshold\).*all true\n",
    ),
    (
        ["-Xlog:gc,gc+phases=debug", "-XX:KlassIdLimit=3000", "-cp", "classes", "Loads"],
        0,
        r"  Class Unloading: \d.*  Unloaded [0-9]{3,} classes of [0-9]{3,} loaders and hidden classes, \d+K of metadata.*all true\n",
    ),
    (
        ["-XX:-ClassUnloading", "-Xlog:gc", "-XX:KlassIdLimit=3000", "-cp", "classes", "Loads"],
        0,
        r"^(?!.*Metadata GC).*OutOfMemoryError: Compressed class space\nall false\n",
    ),
    (
        ["-XX:-ClassUnloading", "-XX:MaxMetaspaceSize=20m", "-cp", "classes", "Loads"],
        0,
        r"OutOfMemoryError: Metaspace\nall false\n",
    ),
    (["-XX:+UseTinyObjectHeaders", "-XX:KlassIdLimit=3000", "-cp", "classes", "Loads"], 0, r"^loads\nall true\n$"),
    # -XX:+TraceBytecodes prints every instruction with its bci, in whole lines between the program's own.
    (
        ["-XX:+TraceBytecodes", "-cp", "classes", "Good", "a"],
        0,
        r"\] void Good\.main\(java\.lang\.String\[\]\) +0  getstatic_unresolved +depth 0 .*Good\.main\(java\.lang\.String\[\]\) +3  load_arraylength +depth 1 .*"
        r"\ngood 1\n\[.*Good\.main\(java\.lang\.String\[\]\) +13  return_void ",
    ),
    # Runs a collection between any two steps of the start, even before there are strings, references and threads.
    (
        [
            "-XX:GCStressInterval=3",
            "-XX:+VerifyBeforeGC",
            "-XX:+VerifyAfterGC",
            "-XX:+GCPoisonFromSpace",
            "-cp",
            "classes",
            "Good",
        ],
        0,
        r"^good 0\n$",
    ),
]


def run(vm, arguments, environment=None):
    done = subprocess.run(
        [vm] + arguments,
        cwd=WORK,
        capture_output=True,
        text=True,
        timeout=120,
        errors="replace",
        env=os.environ | (environment or {}),
    )
    return done.stdout, done.stderr, done.returncode


def comparable(result):
    """Returns the result without allowed differences. Keyhole's built-in class loaders are its own classes, so their
    frames in stack traces have other line numbers than java's. java 17 omits the newline after "Did you mean"."""
    out, err, code = result
    out, err = (re.sub(r"(?m)^\[\d+\.\d{3}s\]", "[0.000s]", text) for text in (out, err))  # since the start
    out, err = (re.sub(r"(?s)^Usage: (java|keyhole) .*", "Usage", text) for text in (out, err))
    err = re.sub(r"(BuiltinClassLoader|ClassLoaders)\.java:\d+", r"\1.java", err)
    return out, re.sub(r"(Did you mean '[^']*'\?) ", r"\1\n", err), code


def home_checks(fail):
    """Starts the VM as home/bin/java, through links, from the PATH, and with another library (-Djava.home). Each start
    must use the right library."""
    home = home_over(VM)
    links = WORK / "links"
    links.mkdir()
    (links / "first").symlink_to(home / "bin/java")
    (links / "second").symlink_to("first")
    other = WORK / "other-library"   # another path to a library is another library
    other.mkdir()
    for part in JDK.iterdir():
        if part.name != "lib":
            (other / part.name).symlink_to(part)
    (other / "lib").mkdir()
    for part in (JDK / "lib").iterdir():
        (other / "lib" / part.name).symlink_to(part)
    property_of = ["-XshowSettings:properties", "-version"]
    passed = 0

    def check(name, command, pattern, environment=None):
        nonlocal passed
        done = subprocess.run(
            command, cwd=WORK, capture_output=True, text=True, timeout=120, env=os.environ | (environment or {})
        )
        if done.returncode == 0 and re.search(pattern, done.stdout + done.stderr, re.DOTALL):
            passed += 1
            return
        fail([name], f"  expected to match {pattern!r}\n  {done}")

    ours = rf"java\.home = {re.escape(str(home))}\n.*Keyhole 64-Bit VM"
    for way in (home / "bin/java", links / "first", links / "second", VM):
        check(f"(as {way})", [str(way)] + property_of, ours)
    check("(on PATH)", ["java"] + property_of, ours, {"PATH": f"{home}/bin:{os.environ['PATH']}"})
    check("(JDK's tools)", [str(home / "bin/javac"), "-version"], rf"javac {RELEASE}")
    # A home is the directory that java.home names. It contains bin/java and a link to a class library. The VM creates a
    # home for each class library.
    check(
        "(-Djava.home)",
        [VM, f"-Djava.home={other}"] + property_of,
        rf"java\.home = {re.escape(str(home.parent))}/home-[0-9a-f]{{16}}\n.*class library \({re.escape(str(other))}\)",
    )
    for second in home.parent.glob("home-*"):
        if (second / "lib").readlink() == other / "lib":
            check(
                "(second home)",
                [str(second / "bin/java")] + property_of,
                rf"java\.home = {re.escape(str(second))}\n.*class library \({re.escape(str(other))}\)",
            )
            check(
                "(-Djava.home names a home)",
                [VM, f"-Djava.home={second}"] + property_of,
                rf"java\.home = {re.escape(str(second))}\n",
            )
            shutil.rmtree(second)
    check("(--library)", [VM, "--library", str(RELEASE)] + property_of, rf"java\.specification\.version = {RELEASE}\n")
    done = subprocess.run([VM, "--library", "16", "-version"], capture_output=True, text=True, timeout=120)
    if done.returncode == 2 and re.search(r"--library takes a release .*, not '16'\n$", done.stderr):
        passed += 1
    else:
        fail(["(--library 16)"], f"  {done}")
    check("(-Djava.home names the home)", [VM, f"-Djava.home={home}"] + property_of, ours)
    # If Keyhole's home, or the library that it links to, has been removed, the VM creates a new home with the same
    # library, even if a start with another library came between.
    if JDK.resolve() == pathlib.Path(shutil.which("javac") or "/javac").resolve().parent.parent:
        shutil.rmtree(home)
        check("(another library comes first)", [VM, f"-Djava.home={other}", "-version"], r"Keyhole 64-Bit VM")
        check("(home made again)", [VM] + property_of, ours)
        (home / "lib").unlink()
        (home / "lib").symlink_to("/nonexistent/lib")
        check("(dead home)", [VM] + property_of, ours)
        for second in home.parent.glob("home-*"):
            shutil.rmtree(second)
    # jshell must run the user's code on the same VM on which jshell itself runs.
    done = subprocess.run(
        [str(home / "bin/jshell"), "-R-Dtold=yes", "-s"],
        cwd=WORK,
        capture_output=True,
        text=True,
        timeout=120,
        input='System.out.println(System.getProperty("java.vm.name") + System.getProperty("told"))\n/exit\n',
    )
    if "Keyhole VMyes" in done.stdout:
        passed += 1
    else:
        fail(["(jshell)"], f"  {done}")
    return passed


# Source files with several classes, or, for JDK 25 and later, with a main class that the file does not declare.
SOURCE_FILES = {
    "Several.java": '@java.lang.FunctionalInterface interface First { void f(); static void main(String[] a) '
    '{ System.out.println("first " + a.length); } }\nrecord Two(int x) {}\n@interface Three { String value() default "("; }\n'
    'class Several { public static void main(String[] a) { System.out.println("not this one"); } }\n',
    "Compact.java": 'import module java.base;\n@SuppressWarnings("unused")\nrecord Point(int x, int y) {}\n'
    'Class<?> kind = Point.class;\n@java.lang.Deprecated(since = "1")\nString greet(String who) { return "hi " + who; }\n'
    'void main(String[] a) { IO.println(greet("x") + List.of(a) + new Point(1, 2) + kind); }\n',
    # Source files without a main method, or with a main method that only some releases can run. The source launcher
    # prints messages about these files.
    "Mainless.java": "public class Mainless { void other() {} }\n",
    "Returns.java": "class Returns { public static int main(String[] a) { return 1; } }\n",
    "OfObject.java": 'class OfObject { public void main(String[] a) { System.out.println("object " + a.length); } }\n',
    "Hidden.java": "class Hidden { private static void main(String[] a) {} }\n",
    "Partial.java": "abstract class Partial { void main() {} }\n",
    "Argued.java": "class Argued { Argued(int x) {} void main() {} }\n",
    # A source file that is not named after its public class.
    "differs.java": "public class Named { public static void main(String[] a) {\n"
    '  System.out.println("named " + new Throwable().getStackTrace()[0] + new Object() { }.getClass().getName()); } }\n',
    "wrong.java": 'public class Wrong { static void f(int x) {} public static void main(String[] a) {\n  f("text"); } }\n',
    # Warnings and notes.
    "Warned.java": "import java.util.*;\npublic class Warned { public static void main(String[] a) { List l = new ArrayList();\n"
    "  l.add(new Date(1, 2, 3).getYear()); System.out.println(l); } }\n",
}
PREVIEW = {
    "Preview.java": "class Preview { void main() { long n = 5; System.out.println(switch (n) { case 5L -> 1; default -> 2; }); } }\n",
}
# Programs of several source files. The launcher of JDK 17 compiles only the file that the command line names. Launchers
# from JDK 22 on also find the program's other files.
FOLDERS = {
    "multi/Multi.java": "public class Multi { public static void main(String[] a) { System.out.println(part.Helper.text()); } }\n",
    "multi/part/Helper.java": 'package part; public class Helper { public static String text() { return "helper"; } }\n',
    "multi/part/Start.java": "package part; class Start { public static void main(String[] a) { System.out.println(Helper.text()); } }\n",
}
# Classes with main methods that only the launcher of JDK 25 accepts, and classes that this launcher cannot instantiate.
CLASSES_OF_25 = {
    "Inner.java": 'class Inner { protected Inner() { System.out.println("made"); } void main() { System.out.println("of "'
    ' + getClass()); } }\n',
    "Private.java": "class Private { private Private() {} void main() {} }\n",
    "Abstract.java": "abstract class Abstract { void main() {} }\n",
    "Both.java": 'class Both { static void main() { System.out.println("none"); } static void main(String[] a) '
    '{ System.out.println("array"); } }\n',
}


def main_class_checks(fail):
    """Tests which class and which main method of a source file run: by the rules of JDK 17 and, if a JDK 25 is
    installed, by the rules of JDK 25. Returns the number of checks that passed."""
    for name, text in (SOURCE_FILES | CLASSES_OF_25 | PREVIEW).items():
        (WORK / name).write_text(text)
    (WORK / "multi/part").mkdir(parents=True)
    for name, text in FOLDERS.items():
        (WORK / name).write_text(text)
    names = [*SOURCE_FILES, "Warned.java", "multi/Multi.java", "multi/part/Start.java"]   # one again, from the cache
    rows = [(JDK, [name, "a", "b"]) for name in names]
    for later in sorted(JDK.parent.glob("*-25-*"))[:1]:
        rows += [(later, [name, "a", "b"]) for name in names]
        rows += [(later, ["--enable-preview", "--source", "25", "Preview.java"])] * 2
        rows += [(later, ["-cp", "classes25", name[: -len(".java")], "a"]) for name in CLASSES_OF_25]
        subprocess.run([later / "bin/javac", "-d", "classes25", *CLASSES_OF_25], cwd=WORK, check=True)
    passed = 0
    for home, arguments in rows:
        expected = run(str(home / "bin/java"), arguments)
        found = run(VM, [f"-Djava.home={home}"] + arguments)
        if comparable(expected) == comparable(found):
            passed += 1
        else:
            fail([str(home)] + arguments, f"  java:    {expected}\n  keyhole: {found}")
        if home != JDK and arguments[0] == "multi/part/Start.java":   # a change is noticed
            (WORK / "multi/part/Helper.java").write_text(FOLDERS["multi/part/Helper.java"].replace("helper", "changed"))
            found = run(VM, [f"-Djava.home={home}"] + arguments)
            (WORK / "multi/part/Helper.java").write_text(FOLDERS["multi/part/Helper.java"])
            passed += found == ("changed\n", "", 0)
            if found != ("changed\n", "", 0):
                fail([str(home), "changed"] + arguments, f"  {found}")
    return passed


def crash_report_check(fail):
    """Whichever thread crashes, the crash report goes to the file that -XX:ErrorFile names; %p in the name is the
    process id."""
    passed = 0
    for name in ["", "GC Thread#0"]:   # the main thread
        process = subprocess.Popen(
            [VM, "-XX:ErrorFile=crash-%p.txt", "-Xmx64m", "-XX:ParallelGCThreads=2", "-cp", "classes", "Collected"],
            cwd=WORK,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        process.stdout.readline()
        tasks = pathlib.Path(f"/proc/{process.pid}/task")
        thread = process.pid
        if name:
            thread = next((int(t.name) for t in tasks.iterdir() if (t / "comm").read_text().strip() == name), 0)
        ctypes.CDLL(None).syscall(TGKILL, process.pid, thread, signal.SIGSEGV)
        try:
            _, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            _, err = process.communicate()
        report = WORK / f"crash-{process.pid}.txt"
        if (
            report.exists()
            and "A fatal error has been detected" in report.read_text()
            and f"This report is in {report.name}" in err
            and process.returncode == -signal.SIGABRT
        ):
            passed += 1
        else:
            fail([f"(ErrorFile {name})"], f"  exit {process.returncode}, {report} exists: {report.exists()}\n{err}")
    return passed


def compiling_is_announced_check(fail):
    """On a terminal, the first run of a source file prints that the file is being compiled. A second run, or a run
    without a terminal, does not."""
    said = []
    for _ in range(2):
        master, slave = pty.openpty()
        subprocess.run(
            [VM, "Good.java"],
            cwd=WORK,
            stdout=subprocess.DEVNULL,
            stderr=slave,
            timeout=120,
            env=os.environ | {"XDG_CACHE_HOME": str(WORK / "cache")},
        )
        os.write(slave, b"end\n")
        text = ""
        while not text.endswith("end\r\n"):
            text += os.read(master, 1000).decode()
        said.append(text.replace("\r", ""))
        os.close(slave)
        os.close(master)
    if said == ["keyhole: compiling Good.java (once)\nend\n", "end\n"]:
        return 1
    fail(["(compiling)"], f"  {said}")
    return 0


def compiler_check(fail):
    """To run a source file, Keyhole runs the library's compiler itself, and does not start bin/javac. The options of
    the command line apply to the program's VM, not to the compiler."""
    home = WORK / "compiler-home"
    (home / "bin").mkdir(parents=True)
    for file in JDK.resolve().iterdir():
        if file.name != "bin":
            (home / file.name).symlink_to(file)
    (home / "bin/javac").write_text("#!/bin/sh\nexit 9\n")
    (home / "bin/javac").chmod(0o755)
    options = {"JDK_JAVA_OPTIONS": "-Da=b", "JAVA_TOOL_OPTIONS": "-Da=c", "KEYHOLE_OPTIONS": "-Da=d", "_JAVA_OPTIONS": "-Da=e"}
    picked_up = "".join(rf"(NOTE: )?Picked up {name}: {value}\n" for name, value in options.items())
    passed = 0
    for source, out, err, code in (("Good.java", "good 1\n", picked_up, 0),
                                   ("wrong.java", "", picked_up + r"wrong.java:2: error: (.*\n)+error: compilation failed\n", 1)):
        found = run(VM, [f"-Djava.home={home}", source, "a"], options | {"XDG_CACHE_HOME": str(WORK / "cache")})
        if (found[0], found[2]) == (out, code) and re.fullmatch(err, found[1]):
            passed += 1
        else:
            fail(["(compiler)", source], f"  {found}")
    return passed


def main():
    prepare()
    passed, failed = 0, 0

    def fail(arguments, text):
        nonlocal failed
        failed += 1
        print(f"FAILED {' '.join(arguments)}\n{text}", flush=True)

    for arguments in SAME_AS_JAVA:
        expected, found = run(str(JDK / "bin/java"), arguments), run(VM, arguments)
        if comparable(expected) == comparable(found):
            passed += 1
        else:
            fail(arguments, f"  java:    {expected}\n  keyhole: {found}")
    for environment, arguments in SAME_WITH_ENVIRONMENT:
        expected, found = run(str(JDK / "bin/java"), arguments, environment), run(VM, arguments, environment)
        if comparable(expected) == comparable(found):
            passed += 1
        else:
            fail([str(environment)] + arguments, f"  java:    {expected}\n  keyhole: {found}")
    passed += home_checks(fail) + main_class_checks(fail)
    passed += crash_report_check(fail) + compiling_is_announced_check(fail) + compiler_check(fail)
    for arguments, code, pattern in ONLY:
        out, err, found = run(VM, arguments)
        if found == code and re.search(pattern, out + err, re.DOTALL):
            passed += 1
        else:
            fail(
                arguments,
                f"  exit {found}, expected {code}; expected to match {pattern!r}\n  out: {out[-1000:]}\n  err: {err[-1000:]}",
            )
    # The reader of the output closes the pipe. The VM must neither hang nor crash, and must end with java's exit code.
    for command in (
        "-cp classes Busy | head -n 3",
        "-Xlog:class+load -cp classes Good 2>&1 | head -n 1 > /dev/null",
        "-XX:MaxMetaspaceSize=200k -cp classes Good 2>&1 | true",
    ):
        codes = []
        for vm in (str(JDK / "bin/java"), VM):
            done = subprocess.run(
                ["bash", "-c", f"{vm} {command}; echo ${{PIPESTATUS[0]}}"],
                cwd=WORK,
                capture_output=True,
                text=True,
                timeout=120,
            )
            codes.append(done.stdout)
        if codes[0] == codes[1]:
            passed += 1
        else:
            fail([command], f"  java: {codes[0]!r} keyhole: {codes[1]!r}")
    # Like java, the VM raises the soft limit of open files to the hard limit, and child processes inherit it.
    for flags in ("", "-XX:-MaxFDLimit", "-XX:+MaxFDLimit"):
        limits = [
            subprocess.run(
                ["bash", "-c", f"ulimit -Sn 200; {vm} {flags} -cp classes OpenFiles"],
                cwd=WORK,
                capture_output=True,
                text=True,
                timeout=120,
            ).stdout
            for vm in (JDK / "bin/java", VM)
        ]
        if limits[0] == limits[1] and (limits[0] == "200 200\n") == (flags == "-XX:-MaxFDLimit"):
            passed += 1
        else:
            fail(["(ulimit -Sn 200)", flags, "OpenFiles"], f"  java: {limits[0]!r} keyhole: {limits[1]!r}")
    # The VM starts with as little address space as java needs. The last of these cases is a program that uses up the
    # memory outside of the heap.
    for limit, command, expected in (
        (3000000, "-Xmx64m -cp classes Good", "good 0\n"),
        (3000000, "-cp classes Good", "good 0\n"),
        (800000, "-Xmx64m -XX:MaxMetaspaceSize=64m -XX:ReservedCodeCacheSize=16m -cp classes Good", "good 0\n"),
        (1400000, "-cp classes Good", "good 0\n"),
        (1400000, "-Xmx64m -cp classes Deflaters", "java.lang.OutOfMemoryError true\n"),
    ):
        done = subprocess.run(
            ["bash", "-c", f"ulimit -v {limit}; {VM} {command}"], cwd=WORK, capture_output=True, text=True, timeout=120
        )
        if (done.stdout, done.returncode) == (expected, 0):
            passed += 1
        else:
            fail([f"(ulimit -v {limit})", command], f"  {done}")
    # If no address space is left for metadata, the program gets an OutOfMemoryError, or the VM ends for lack of other
    # memory. The VM never crashes.
    for limit in (525000, 530000, 540000, 550000):
        done = subprocess.run(
            ["bash", "-c", f"ulimit -v {limit}; {VM} -XX:-ClassUnloading -Xmx64m -cp classes Loads"],
            cwd=WORK,
            capture_output=True,
            text=True,
            timeout=120,
        )
        if done.returncode in (0, 1) and re.search(
            "OutOfMemoryError|There is insufficient memory|all true", done.stdout + done.stderr
        ):
            passed += 1
        else:
            fail([f"(ulimit -v {limit})", "Loads"], f"  {done}")
    for limit in (10000, 100000, 200000, 250000, 300000):
        done = subprocess.run(
            ["bash", "-c", f"ulimit -v {limit}; {VM} -Xmx64m -cp classes Good"],
            cwd=WORK,
            capture_output=True,
            text=True,
            timeout=120,
        )
        if done.returncode in (1, 127) and re.search(
            r"Error occurred during initialization of VM\n.+|error while loading shared libraries|insufficient memory",
            done.stdout + done.stderr,
        ):
            passed += 1
        else:
            fail([f"(ulimit -v {limit})"], f"  {done}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
