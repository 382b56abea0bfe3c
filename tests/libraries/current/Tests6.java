// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// JUnit 6: every kind of test, three that fail.
// maven: org.junit.platform:junit-platform-console:6.0.0 org.junit.jupiter:junit-jupiter:6.0.0
// main: org.junit.platform.console.ConsoleLauncher
// args: execute --disable-banner --disable-ansi-colors --details=tree --select-class=Tests6
// normal: [0-9]+ ms
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;
import static org.junit.jupiter.api.Assertions.*;
import java.nio.file.*;
import java.util.stream.*;
import org.junit.jupiter.api.io.TempDir;

class Tests6 {
    @BeforeEach
    void before(TestInfo info) {
        System.out.println("before " + info.getDisplayName());
    }
    @AfterEach
    void after() {
        System.out.println("after");
    }
    @Test
    @DisplayName("adds")
    void add() {
        assertEquals(4, 2 + 2);
    }
    @Test
    void fails() {
        assertEquals(5, 2 + 2, "no");
    }
    @Test
    void throwsIt() {
        assertThrows(ArithmeticException.class, () -> {
            int z = 0;
            System.out.println(1 / z);
        });
    }
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void odd(int n) {
        assertTrue(n % 2 == 1, () -> n + " is even");
    }
    @ParameterizedTest
    @CsvSource({"a, 1", "bb, 2"})
    void lengths(String text, int length) {
        assertEquals(length, text.length());
    }
    @RepeatedTest(2)
    void again(RepetitionInfo info) {
        assertTrue(info.getCurrentRepetition() <= 2);
    }
    @TestFactory
    Stream<DynamicTest> dynamic() {
        return Stream.of("x", "y").map(s -> DynamicTest.dynamicTest(s, () -> assertEquals(1, s.length())));
    }
    @Disabled("later")
    @Test
    void later() {
        fail();
    }
    @Nested
    class Inner {
        @Test
        void deep(@TempDir Path folder) throws Exception {
            Files.writeString(folder.resolve("a"), "b");
            assertEquals("b", Files.readString(folder.resolve("a")));
        }
    }
    record Point(int x, int y) {}
    static Stream<Point> points() { return Stream.of(new Point(1, 2), new Point(3, 4)); }
    @ParameterizedTest
    @MethodSource("points")
    void pattern(Point p) {
        assertEquals(true, p instanceof Point(int x, int y) && y == x + 1);
    }
    @Test
    void all() {
        assertAll(() -> assertEquals(1, 1), () -> assertEquals(1, 2), () -> assertNull("x"));
    }
    @Test
    @Timeout(5)
    void timed() {
        assertTimeoutPreemptively(java.time.Duration.ofSeconds(5), () -> 1);
    }
}
