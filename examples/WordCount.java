// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Counting words with streams: lambdas, method references, collectors and sorting.
//
// Run: ./keyhole examples/WordCount.java [file]

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

public class WordCount {
    static final String TEXT =
        "the lock is free and the lock is held and who holds the lock shall give the lock back\n"
        + "for a lock that is held for ever is a wall and a lock that is never held is a picture of a lock\n";

    public static void main(String[] arguments) throws IOException {
        String text = arguments.length > 0 ? Files.readString(Path.of(arguments[0])) : TEXT;
        Map<String, Long> counts = Arrays.stream(text.split("\\W+"))
            .filter(word -> !word.isEmpty())
            .map(String::toLowerCase)
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        counts.entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
            .limit(10)
            .forEach(entry -> System.out.println(String.format("%5d %s", entry.getValue(), entry.getKey())));
        System.out.println(counts.size() + " different words");
    }
}
