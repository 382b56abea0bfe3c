// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The best words of a book by the rules of Scrabble, by streams of java.util.stream, after José Paumard's comparison of
// ways to write it.
// iterations: 30
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public class StreamsScrabble extends Workload {
    private final ScrabbleRules rules = new ScrabbleRules();

    private int score(String word) {
        Map<Integer, Long> letters =
                word.chars().boxed().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        return letters.entrySet().stream()
                .mapToInt(each -> rules.points(each.getKey())
                        * (int) Math.min(each.getValue(), rules.available(each.getKey())))
                .sum();
    }

    private long blanks(String word) {
        return word.chars().boxed().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                .entrySet().stream()
                .mapToLong(each -> Math.max(0L, each.getValue() - rules.available(each.getKey()))).sum();
    }

    private int bonus(String word) {
        return Stream.of(word.chars().limit(3), word.chars().skip(Math.max(0, word.length() - 3)))
                .flatMapToInt(Function.identity()).map(rules::points).max().orElse(0);
    }

    @Override protected long iteration() {
        TreeMap<Integer, List<String>> best = rules.book().stream().filter(rules::isKnown)
                .filter(word -> blanks(word) <= 2)
                .collect(Collectors.groupingBy(word -> 2 * (score(word) + bonus(word)) + (word.length() == 7 ? 50 : 0),
                        () -> new TreeMap<Integer, List<String>>(Comparator.reverseOrder()), Collectors.toList()));
        return best.entrySet().stream().limit(10)
                .map(entry -> entry.getKey()
                        + entry.getValue().stream().sorted().distinct().collect(Collectors.joining()))
                .reduce(0L, Workload::mixed, Long::sum) + IntStream.range(0, best.size()).asLongStream().sum();
    }

    public static void main(String[] arguments) throws Exception {
        new StreamsScrabble().run(arguments);
    }
}
