// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// import module: the program uses classes of java.base and java.logging, and imports both modules as a whole.
// since: 25
import module java.base;
import module java.logging;
import java.util.List;

public class ModuleImports {
    public static void main(String[] arguments) throws Throwable {
        List<String> list = new ArrayList<>(List.of("b", "a"));
        Collections.sort(list);
        Function<String, Path> path = Path::of;
        System.out.println(list + " " + path.apply("x").resolve("y"));
        System.out.println(Stream.of(1, 2, 3).collect(Collectors.summingInt(i -> i)));
        System.out.println(new BigInteger("99").pow(3) + " " + Duration.ofMinutes(90));
        System.out.println(Level.parse("WARNING") + " " + Pattern.matches("a+", "aaa"));
        ConcurrentMap<String, AtomicInteger> counts = new ConcurrentHashMap<>();
        counts.computeIfAbsent("k", _ -> new AtomicInteger()).addAndGet(5);
        System.out.println(counts);
        MethodHandle length = MethodHandles.lookup().findVirtual(String.class, "length", MethodType.methodType(int.class));
        System.out.println(length.invoke("four"));
    }
}
