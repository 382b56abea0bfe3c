# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Command lines whose output is java's: options, files with options, variables of the environment.

FILES lie in the working folder, beside classes/Show.class, which prints its arguments and a property. Each case is a
list of words, or a pair of environment variables and such a list.
"""

FILES = {
    # Argument files: quotes, escapes, comments, continuation, no nesting.
    "plain.args": "-cp classes -Dx=1",
    "words.args": '# comment\n-cp classes   -Dx="a b\\tc\\\\d" # more\nShow \'q r\' "s\'t" a\\ b "x \\\n    y" \\\n @z\n"open\nend" last\n',
    "odd.args": "-cp classes Show a#b c\nd #e\n#f\n  # g\nh\"\"i \"\" j\"k l\"m 'n\\'o' \"\\q\\n|\\f|\" x\\\ny\n\"unfinished \\",
    "nested.args": "@plain.args Show",
    "open-quote.args": '-cp "classes',
    "returns.args": "-cp classes Show\r\n x\ry\f z",
    "empty.args": "",
    "disable.args": "-Dx=1\n--disable-@files\n-cp classes Show @plain.args",
    "program.args": "-cp classes Show -version",
    "jar.args": "-cp classes -jar",
    "version.args": "-version\n-cp",
    # Options files of the VM.
    "good.options": "-Xmx64m\n-Dx=y\n",
    "bad.options": "-Xmx64m -XX:+NoSuch",
    "comment.options": "-Xmx64m # comment\n",
    "quotes.options": "\"-Dx=a b\" -Dy='c'd\n",
    "open-quote.options": "-Xmx64m '-Dx=a",
    "launcher.options": "-cp classes",
    "version.options": "-version",
    "nested.options": "-XX:VMOptionsFile=good.options",
    "empty.options": "",
    # Settings files.
    "good.settings": "+UseTLAB #x\n#y\nMaxHeapSize=64m # comment\nHeapDumpPath=\"a b\"\n",
    "bad.settings": "+PrintGCDetails NoSuch +UseTLABB\nMaxInlineLevel=-1\n",
}

REFUSED_SIZES = [f"{option}{value}" for option in ("-Xmx", "-Xms", "-Xmn", "-Xss", "-XX:MaxHeapSize=")
                 for value in ("", "abc", "-1", "64mb", "99999999999999999999", "1.5g", "0x", "m")]
REFUSED_FLAGS = [
    "", "+", "-", "=5", "#+Verbose", "Foo=x:y", "+NoSuchFlagAtAll", "NoSuch=3", "++UseTLAB", "+UseTLAB+", "UseTLAB", "UseTLAB=",
    "UseTLAB=true", "+UseTLAB=true", "+MaxHeapFreeRatio", "MaxInlineLevel=-5", "MaxInlineLevel=abc", "MaxInlineLevel=+5",
    "MaxInlineLevel= 5", "MaxInlineLevel=5.5", "MaxInlineLevel=", "MaxInlineLevel", "TieredStopAtLevel=9",
    "MaxTenuringThreshold=17", "MaxTenuringThreshold=abc", "HeapDumpGzipLevel=10", "HeapDumpPath", "OnError",
    "MaxRAMPercentage=-1", "MaxRAMPercentage=101", "MaxRAMPercentage=", "MaxRAMPercentage=50%", "NewRatio=-1",
    "ReservedCodeCacheSize=1k", "MaxMetaspaceSize=18446744073709551616", "MinHeapFreeRatio=101", "SurvivorRatio=0",
    "GCTimeRatio=-1", "ThreadStackSize=2000000", "ThreadStackSize=1", "MaxHeapSize=0", "InitialHeapSize=abc", "NewSize=-5",
    "MaxDirectMemorySize=-1", "SoftRefLRUPolicyMSPerMB=-1", "ObjectAlignmentInBytes=4", "ObjectAlignmentInBytes=512",
    "AllocatePrefetchStyle=9", "+UseEpsilonGC", "+UnlockCommercialFeatures", "MaxPermSize=1m", "PermSize=1m",
    "+UseConcMarkSweepGC", "-UseParNewGC", "+AggressiveOpts", "+TraceClassLoading", "+PrintGCDateStamps", "+PrintGCTimeStamps",
    "+PrintTenuringDistribution", "+PrintAdaptiveSizePolicy", "+UseGCLogFileRotation", "+CMSClassUnloadingEnabled",
    "+PrintHeapAtGC", "Xmx64m", "+UseG1", "+UseCompressedOop", "+HeapDumpOnOutOfMemory", "MaxGCPauseMilis=3", "+ShowHiddenFrame",
    "+ReadVMOptionsFile", "+VerifyOops", "-VerifyOops", "+DeoptimizeALot", "+PrintOptoAssembly", "+CITime2", "+LogCompilation",
    "+WhiteBoxAPI", "+PrintNMTStatistics", "G1NewSizePercent=5", "+EnableJVMCI", "+UseZGCC", "ZCollectionInterval",
]   # fmt: skip
LOGS = [
    ":foo", ":gc+foo", ":gcc", ":gc+heap+foo", ":gc=loud", ":gc=info+debug", ":gc=", ":=", ":gc::foo", ":gc:stdout:uptime,foo",
    ":gc:file=/nonexistent/x", ":gc:nosuch=out", ":stringtable:stdout::filecount=1", ":gc:file=a.log::filecount=x",
    ":gc:file=a.log::filecount=1001", ":gc:file=a.log::filesize=x", ":gc:file=a.log::filesize=-1", ":gc:file=a.log::foo=1",
    ":gc:file=a.log::filecount", ":stringtable:stdout::foldmultilines=maybe", ":stringtable:stdout::foldmultilines=true", ":gc+gc", ":gc+heap+start+exit+logging+cds", ",", ":,", ":gc,,",
    ":foo=off", ":all=off", ":disable", ":disable:x", ":help:x", ":async:x", ":asyncx", "foo", ":*", ":gc*+heap", ":gc+nosuch*",
    ":logging:file=a.log", ":logging=off", ":methodtrace", ":biasedlocking", ":stringtable::::excess",
    ":gc+class", ":class+gc=debug", ":gc+class*", ":safepoint+gc,biasedlocking+gc", ":os+gc=off,gc+os", ":gc+heap+class+load+start",
    ":gc+class:stdout::x=y",
]   # fmt: skip
OTHERS = [
    ["-"], ["--"], ["-cp", "classes", "--", "Show"], ["--nosuch", "-version"], ["-cp", "", "Show"], ["-cp", "classes", ""],
    ["--class-path=", "Show"], ["--class-path", "-version"], ["-jar"], ["-Dx", "-cp", "classes", "Show"],
    ["-D", "-cp", "classes", "Show"], ["-D=", "-cp", "classes", "Show"], ["-Djava.class.path=classes", "Show"],
    ["-cp", "nothing", "-Djava.class.path=classes", "Show"], ["-Djava.class.path=nothing", "-cp", "classes", "Show"],
    ["-cp", "classes", "-Djava.class.path=nothing", "Show"],
    ["-Xshare:foo", "-version"], ["-Xshare", "-version"], ["-Xshare:on", "-version"], ["-Xshare:auto", "-Xshare:off", "-version"],
    ["-Xcheck", "-version"], ["-Xcheck:foo", "-version"], ["-Xcheck:jni", "-version"], ["-Xrs", "-Xbatch", "-version"],
    ["-Xprof", "-version"], ["-Xfuture", "-version"], ["-Xnoagent", "-version"], ["-Xdebug", "-version"],
    ["-Xverify", "-version"], ["-Xverify:", "-version"], ["-Xverify:none", "-version"], ["-noverify", "-version"],
    ["-Xbootclasspath/a:", "-version"], ["-Xbootclasspath/b:x", "-version"], ["-XshowSettingsfoo", "-version"],
    ["-splash", "-version"], ["-splash:nofile", "-version"], ["-esa:foo", "-version"], ["-ea:", "-version"], ["-eafoo", "-version"],
    ["-ea:a...", "-da:b", "-esa", "-dsa", "-version"], ["-verbose:foo", "-version"], ["-verbose:", "-version"],
    ["-verbosefoo", "-version"], ["-Xloggc", "-version"],
    ["-Xincgc", "-version"], ["-Xdump", "-version"], ["-Xjvmci", "-version"], ["-Xmaxjitcodesize5m", "-version"],
    ["-Xmaxjitcodesize=1", "-version"], ["-Xcodecachesize=5m", "-version"], ["-Xmaxf0.5", "-Xminf0.3", "-version"],
    ["-Xmaxf2", "-version"], ["-Xconcurrentio", "-version"], ["-Xusealtsigs", "-version"], ["-Xoss1m", "-version"],
    ["-Xmx0x1000000", "-version"], ["-Xss0", "-Xms0", "-version"], ["-Xss1k", "-version"], ["-Xss2g", "-version"],
    ["-Xmn1", "-version"], ["-Xmx0", "-version"], ["-Xms1", "-version"], ["-Xmx1", "-version"], ["-XX:MaxHeapSize=1", "-version"],
    # Flags that Keyhole knows; its warnings about them are java's.
    ["-XX:+UseBiasedLocking", "-version"], ["-XX:MaxRAMFraction=3", "-version"], ["-XX:DefaultMaxRAMFraction=3", "-version"],
    ["-XX:CreateMinidumpOnCrash", "-version"], ["-XX:-CreateMinidumpOnCrash", "-version"], ["-XX:+UseSharedSpaces", "-version"],
    ["-XX:+ZGenerational", "-version"], ["-XX:+RequireSharedSpaces", "-version"], ["-XX:MetaspaceReclaimPolicy=none", "-version"],
    ["-XX:+AllowRedefinitionToAddDeleteMethods", "-version"], ["-XX:+FlightRecorder", "-version"],
    ["-XX:SuspendRetryCount=3", "-version"], ["-XX:-PrintWarnings", "-XX:SuspendRetryCount=3", "-version"],
    ["-XX:+UnlockDiagnosticVMOptions", "-XX:-PrintWarnings", "-XX:MaxRAMFraction=3", "-version"],
    ["-XX:+UseNUMA", "-XX:+UseSerialGC", "-XX:MaxGCPauseMillis=50", "-XX:OnError=", "-XX:HeapDumpPath=", "-version"],
    ["-XX:+LogCompilation", "-version"], ["-Xmx64m"], ["-jar", "-Xmx64m", "nosuch.jar"], ["-jar", "-version"], ["-jar", "-jar"],
    ["-XX:+UnlockExperimentalVMOptions", "-XX:+WhiteBoxAPI", "-version"],
    ["-XX:+UnlockDiagnosticVMOptions", "-XX:+WhiteBoxAPI", "-version"], ["-XX:MaxInlineLevel=0x10", "-XX:FreqInlineSize=1k", "-version"],
    ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+NoSuch", "-XX:NoSuch=1", "-XX:+VerifyOops", "-version"],
    ["-XX:+NoSuch", "-XX:+IgnoreUnrecognizedVMOptions", "-version"], ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:MaxInlineLevel=abc", "-version"],
    ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+WhiteBoxAPI", "-version"],
    ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:-IgnoreUnrecognizedVMOptions", "-XX:+NoSuch", "-version"],
    ["-cp", "classes", "-XX:+IgnoreUnrecognizedVMOptions", "-XX:+NoSuch", "Show"],
    ["-XX:+UseSerialGC", "-XX:+UseParallelGC", "-version"], ["-XX:+UseG1GC", "-XX:-UseSerialGC", "-version"],
    ["-XX:+PrintVMOptions", "-Xmx64m", "-XX:Flags=good.settings", "-version"],
    # Files.
    ["@plain.args", "Show", "@plain.args"], ["@words.args", "1", "2"], ["@odd.args"], ["@nested.args"], ["@open-quote.args", "Show"],
    ["@returns.args"], ["-cp", "classes", "@empty.args", "Show"], ["@disable.args"], ["@program.args"], ["@jar.args"], ["@version.args"],
    ["@"], ["@@plain.args"], ["-cp", "classes", "Show", "@@plain.args"], ["@nosuch.args"], ["@classes"], ["-cp", "@plain.args", "Show"],
    ["-cp", "classes", "@words.args"], ["--disable-@files", "-cp", "classes", "Show", "@plain.args"], ["--disable-@files", "@plain.args"],
    ["-jar", "@plain.args"], ["@plain.args", "@plain.args", "Show"],
    ["-XX:VMOptionsFile=good.options", "-cp", "classes", "Show"], ["-XX:VMOptionsFile=bad.options", "-version"],
    ["-XX:VMOptionsFile=comment.options", "-version"], ["-XX:VMOptionsFile=quotes.options", "-cp", "classes", "Show"],
    ["-XX:VMOptionsFile=open-quote.options", "-version"], ["-XX:VMOptionsFile=launcher.options", "-version"],
    ["-XX:VMOptionsFile=version.options", "-version"],
    ["-XX:VMOptionsFile=nested.options", "-version"], ["-XX:VMOptionsFile=empty.options", "-version"],
    ["-XX:VMOptionsFile=nosuch", "-version"], ["-XX:VMOptionsFile=", "-version"], ["-XX:VMOptionsFile=classes", "-version"],
    ["-XX:VMOptionsFile=good.options", "-XX:VMOptionsFile=empty.options", "-version"], ["-XX:VMOptionsFile", "-version"],
    ["-XX:Flags=good.settings", "-version"], ["-XX:Flags=bad.settings", "-version"], ["-XX:Flags=nosuch", "-version"],
    ["-XX:Flags=", "-version"], ["-XX:Flags", "-version"], ["-XX:Flags=classes", "-version"], ["-XX:Flags=nosuch", "-XX:Flags=good.settings", "-version"],
    ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:Flags=bad.settings", "-version"],
    # The environment.
    ({"JAVA_TOOL_OPTIONS": "-XX:VMOptionsFile=good.options"}, ["-XX:VMOptionsFile=good.options", "-cp", "classes", "Show"]),
    ({"JAVA_TOOL_OPTIONS": "-XX:VMOptionsFile=good.options -XX:VMOptionsFile=good.options"}, ["-version"]),
    ({"JAVA_TOOL_OPTIONS": "-XX:Flags=good.settings"}, ["-version"]), ({"_JAVA_OPTIONS": "-XX:Flags=nosuch"}, ["-version"]),
    ({"JAVA_TOOL_OPTIONS": "-XX:+NoSuch"}, ["-XX:+IgnoreUnrecognizedVMOptions", "-version"]),
    ({"JAVA_TOOL_OPTIONS": "-XX:+NoSuch"}, ["-version"]), ({"JAVA_TOOL_OPTIONS": "-Dx=1"}, ["-Dx=2", "-cp", "classes", "Show"]),
    ({"_JAVA_OPTIONS": "-Dx=3", "JAVA_TOOL_OPTIONS": "-Dx=1"}, ["-Dx=2", "-cp", "classes", "Show"]),
    ({"_JAVA_OPTIONS": "-cp classes"}, ["Show"]), ({"_JAVA_OPTIONS": "-Djava.class.path=classes"}, ["Show"]),
    ({"_JAVA_OPTIONS": "\"-Dx=a b\" '-Dy=\"'"}, ["-cp", "classes", "Show"]), ({"_JAVA_OPTIONS": "'"}, ["-version"]),
    ({"JDK_JAVA_OPTIONS": "@plain.args"}, ["Show"]), ({"JDK_JAVA_OPTIONS": "-Dx=1 @plain.args"}, ["Show", "1"]),
    ({"JDK_JAVA_OPTIONS": "--list-modules"}, ["-cp", "classes", "Show"]), ({"JDK_JAVA_OPTIONS": "--module=x"}, ["-version"]),
    ({"JDK_JAVA_OPTIONS": "-m x"}, ["-version"]), ({"JDK_JAVA_OPTIONS": "--help"}, ["-version"]), ({"JDK_JAVA_OPTIONS": ""}, ["-version"]),
    ({"JDK_JAVA_OPTIONS": "   "}, ["-cp", "classes", "Show"]), ({"JDK_JAVA_OPTIONS": "-cp"}, ["classes", "Show"]),
    ({"JDK_JAVA_OPTIONS": "-XX:+NoSuch"}, ["-version"]), ({"JDK_JAVA_OPTIONS": "-Dx=\"a b\" -cp 'classes'"}, ["Show"]),
    ({"JDK_JAVA_OPTIONS": "-Xmx0"}, ["-version"]), ({"CLASSPATH": "classes"}, ["Show"]), ({"CLASSPATH": ""}, ["Show"]),
    ({"CLASSPATH": "nothing"}, ["-cp", "classes", "Show"]),
]   # fmt: skip

CASES = (
    [[word, "-version"] for word in REFUSED_SIZES]
    + [[f"-XX:{flag}", "-version"] for flag in REFUSED_FLAGS]
    + [[f"-Xlog{what}", "-version"] for what in LOGS]
    + OTHERS
)
