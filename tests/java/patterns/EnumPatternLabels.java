// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Switches with enum constants of several types: qualified labels, guards, sealed interfaces that enums implement.
// since: 21
import java.util.ArrayList;
import java.util.List;

public class EnumPatternLabels {
    sealed interface Card permits Suit, Tarot {}
    enum Suit implements Card { CLUBS, HEARTS { @Override public String toString() { return "hearts!"; } } }
    enum Tarot implements Card { FOOL, TOWER }

    static String name(Card card) {
        return switch (card) {
            case Suit.CLUBS -> "clubs";
            case Suit.HEARTS -> "hearts";
            case Tarot.FOOL -> "fool";
            case Tarot tarot -> "tarot " + tarot.ordinal();
        };
    }

    static String mixed(Object what) {
        return switch (what) {
            case Suit suit when suit == Suit.HEARTS -> "a heart";
            case Suit suit -> "suit " + suit;
            case Tarot tarot when tarot.name().startsWith("T") -> "T";
            case Enum<?> any -> "enum " + any;
            default -> "none";
        };
    }

    static String plain(Suit suit) {
        return switch (suit) {
            case CLUBS -> "c";
            case Suit s when s.ordinal() == 1 -> "h";
            case null -> "null";
            default -> "?";
        };
    }

    public static void main(String[] arguments) {
        List<Card> cards = new ArrayList<>(List.of(Suit.values()));
        cards.addAll(List.of(Tarot.values()));
        for (Card card : cards) System.out.println(name(card) + " " + mixed(card));
        System.out.println(mixed(Thread.State.NEW) + " " + mixed("x"));
        System.out.println(plain(Suit.CLUBS) + plain(Suit.HEARTS) + plain(null));
        try {
            name(null);
        } catch (NullPointerException e) {
            System.out.println("NullPointerException");
        }
    }
}
