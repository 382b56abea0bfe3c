// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A test run of an ordinary project: a few hundred short tests of collections, text and numbers.
import static org.junit.jupiter.api.Assertions.*;

import java.math.BigInteger;
import java.util.*;
import java.util.function.Supplier;
import java.util.stream.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;

class TestRun {
  private final List<Integer> shuffled = new ArrayList<>();

  @BeforeEach
  void shuffle(TestInfo info) {
    for (int i = 0; i < 500; i++) shuffled.add(i);
    Collections.shuffle(shuffled, new Random(info.getDisplayName().hashCode()));
  }

  static Stream<Arguments> collections() {
    List<Supplier<Collection<Integer>>> kinds =
        List.of(ArrayList::new, ArrayDeque::new, HashSet::new, LinkedHashSet::new, TreeSet::new, PriorityQueue::new);
    return kinds.stream().flatMap(kind -> {
      String name = kind.get().getClass().getSimpleName();
      return IntStream.range(1, 20).mapToObj(i -> Arguments.of(name, kind, i * 20));
    });
  }

  @ParameterizedTest(name = "{0} of {2}")
  @MethodSource("collections")
  void holdsWhatWasAdded(String name, Supplier<Collection<Integer>> kind, int count) {
    Collection<Integer> collection = kind.get();
    collection.addAll(shuffled.subList(0, count));
    assertEquals(count, collection.size());
    for (int i = 0; i < count; i += 7) assertTrue(collection.remove(shuffled.get(i)));
    assertFalse(collection.contains(shuffled.get(0)));
    assertEquals(collection.stream().mapToInt(Integer::intValue).sum(),
                 collection.stream().sorted(Comparator.reverseOrder()).reduce(0, Integer::sum));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377})
  void dividesWhatItMultiplied(int exponent) {
    BigInteger power = BigInteger.valueOf(37).pow(exponent);
    assertEquals(BigInteger.ONE, power.divide(BigInteger.valueOf(37).pow(exponent)));
    assertEquals(power, new BigInteger(power.toString(16), 16));
    assertThrows(ArithmeticException.class, () -> power.mod(BigInteger.ZERO));
  }

  @ParameterizedTest
  @CsvSource({"a;b;c,3", "'',1", "one;two,2", "x;;z,3"})
  void splits(String text, int parts) {
    assertEquals(parts, text.split(";").length);
    assertEquals(text, String.join(";", text.split(";")));
  }

  @TestFactory
  Stream<DynamicTest> formats() {
    return IntStream.range(0, 200).mapToObj(i -> DynamicTest.dynamicTest("formats " + i, () -> {
      String text = String.format(Locale.ROOT, "%05d %8.3f %s", i, i / 7.0, Integer.toHexString(i));
      assertEquals(i, Integer.parseInt(text.substring(0, 5)));
      assertEquals(i / 7.0, Double.parseDouble(text.substring(6, 14).strip()), 0.001);
      assertAll(() -> assertTrue(text.endsWith(Integer.toHexString(i))), () -> assertFalse(text.isBlank()));
    }));
  }

  @Nested
  class Words {
    private Map<String, Integer> counts;

    @BeforeEach
    void count() {
      counts = shuffled.stream().map(i -> "word" + i % 40).collect(
          Collectors.toMap(word -> word, word -> 1, Integer::sum, TreeMap::new));
    }

    @RepeatedTest(50)
    void areAllCounted() {
      assertEquals(40, counts.size());
      assertEquals(500, counts.values().stream().mapToInt(n -> n).sum());
    }

    @RepeatedTest(50)
    void areInOrder() {
      assertIterableEquals(counts.keySet().stream().sorted().toList(), List.copyOf(counts.keySet()));
    }
  }
}
