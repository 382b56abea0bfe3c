// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A record's accessor that throws within a pattern ends the match with a MatchException, whose cause is the thrown one.
// since: 21
public class RecordAccessorsThatThrow {
    record Fails(int value) {
        public int value() {
            if (value < 0) throw new IllegalStateException("negative: " + value);
            return value;
        }
    }
    record Outer(Fails inner) {}

    static String match(Object what) {
        try {
            return switch (what) {
                case Outer(Fails(int value)) -> "value " + value;
                case Fails(int value) when value > 10 -> "large " + value;
                case Fails(var value) -> "small " + value;
                default -> "other";
            };
        } catch (MatchException e) {
            return e.getMessage() + " because of " + e.getCause();
        }
    }

    public static void main(String[] arguments) {
        System.out.println(match(new Fails(20)));
        System.out.println(match(new Fails(3)));
        System.out.println(match(new Fails(-1)));
        System.out.println(match(new Outer(new Fails(5))));
        System.out.println(match(new Outer(new Fails(-5))));
        System.out.println(match("x"));
        try {
            if (new Fails(-2) instanceof Fails(int value)) System.out.println(value);
        } catch (MatchException e) {
            System.out.println(e);
        }
    }
}
