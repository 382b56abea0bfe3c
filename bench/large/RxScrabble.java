// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The best words of a book, as in StreamsScrabble, by the flows of RxJava.
// maven: io.reactivex.rxjava3:rxjava:3.1.10
// iterations: 30
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public class RxScrabble extends Workload {
    private final ScrabbleRules rules = new ScrabbleRules();

    private static Flowable<Integer> letters(String word) {
        return Flowable.range(0, word.length()).map(i -> (int) word.charAt(i));
    }

    private static Single<Map<Integer, Integer>> histogram(String word) {
        return letters(word)
                .collect(HashMap<Integer, Integer>::new, (map, letter) -> map.merge(letter, 1, Integer::sum))
                .map(map -> map);
    }

    private Single<Integer> score(String word) {
        return histogram(word).flatMapPublisher(map -> Flowable.fromIterable(map.entrySet()))
                .map(each -> rules.points(each.getKey()) * Math.min(each.getValue(), rules.available(each.getKey())))
                .reduce(0, Integer::sum);
    }

    private Single<Integer> blanks(String word) {
        return histogram(word).flatMapPublisher(map -> Flowable.fromIterable(map.entrySet()))
                .map(each -> Math.max(0, each.getValue() - rules.available(each.getKey())))
                .reduce(0, Integer::sum);
    }

    private Single<Integer> bonus(String word) {
        return Flowable.concat(letters(word).take(3), letters(word).skip(Math.max(0, word.length() - 3)))
                .map(rules::points).reduce(0, Integer::max);
    }

    private Single<Integer> value(String word) {
        int extra = word.length() == 7 ? 50 : 0;
        return Single.zip(score(word), bonus(word), (score, bonus) -> 2 * (score + bonus) + extra);
    }

    @Override protected long iteration() {
        TreeMap<Integer, List<String>> best = Flowable.fromIterable(rules.book()).filter(rules::isKnown)
                .filter(word -> blanks(word).blockingGet() <= 2)
                .collect(() -> new TreeMap<Integer, List<String>>(Collections.reverseOrder()), (map, word) ->
                        map.computeIfAbsent(value(word).blockingGet(), value -> new ArrayList<>()).add(word))
                .blockingGet();
        return Flowable.fromIterable(best.entrySet()).take(10)
                .map(entry -> entry.getKey()
                        + Flowable.fromIterable(entry.getValue()).sorted().distinct().reduce("", String::concat)
                                .blockingGet())
                .reduce(0L, Workload::mixed).blockingGet() + (long) best.size() * (best.size() - 1) / 2;
    }

    public static void main(String[] arguments) throws Exception {
        new RxScrabble().run(arguments);
    }
}
