// Tests String.length, isEmpty, charAt and System.arraycopy in hot code. The strings have both coders, and come from
// constants, fields and arrays. The indices include every bound, and a string may be null.
public class StringIntrinsics {
  static final String[] strings = {"", "a", "latin \u00e9\u00ff", "wide \u0416\u4e2d", "\ud83d\ude00 pair", "\u0000"};
  String field;

  static int sum(String s) {
    int sum = s.isEmpty() ? 7 : 1;
    for (int i = 0; i < s.length(); i++) sum = sum * 31 + s.charAt(i);
    return sum;
  }
  static char at(String s, int index) { return s.charAt(index); }
  static char first(String s) { return s.charAt(0); }
  // The index is the lower half of a long.
  static char ofLong(String s, long index) { return s.charAt((int) index); }
  static int length(String s) { return s.length(); }
  static boolean isEmpty(String s) { return s.isEmpty(); }
  int ofField(int index) { return field.charAt(index) + field.length() * 1000; }
  static int nested(String s, String t, int i) {
    return s.charAt(t.charAt(i) - 'a') * 65536 + t.charAt(s.length() - 1 - i) + s.charAt(i) * 3;
  }
  static String attempt(String s, int index) {
    try {
      return "" + (int) at(s, index);
    } catch (IndexOutOfBoundsException | NullPointerException e) {
      return e.getClass().getName() + ": " + e.getMessage();
    }
  }
  static void copy(Object from, int fromIndex, Object to, int toIndex, int count) {
    System.arraycopy(from, fromIndex, to, toIndex, count);
  }
  static String tryCopy(Object from, int fromIndex, Object to, int toIndex, int count) {
    try {
      copy(from, fromIndex, to, toIndex, count);
      return "copied";
    } catch (RuntimeException e) {
      return e.getClass().getName() + ": " + e.getMessage();
    }
  }

  static void print(boolean last, Object what) { if (last) System.out.println(what); }

  public static void main(String[] arguments) {
    StringIntrinsics object = new StringIntrinsics();
    int total = 0;
    for (int round = 0; round < 3000; round++) {
      boolean last = round == 2999;
      for (String s : strings) {
        total = total * 17 + sum(s) + length(s) + (isEmpty(s) ? 1 : 0);
        object.field = s + round;
        total += object.ofField(s.length());
        if (!s.isEmpty()) total += first(s) + ofLong(s, 0x7_0000_0000L) + at(s, s.length() - 1);
      }
      total += nested("abc", "cab", 1) + nested("\u0416bc", "bca", 2);
      if (round % 500 != 499) continue;
      for (String s : strings)
        for (int index : new int[] {-1, s.length(), Integer.MIN_VALUE, Integer.MAX_VALUE})
          print(last, attempt(s, index));
      print(last, attempt(null, 0));
      try { length(null); } catch (NullPointerException e) { print(last, e.getMessage()); }
      try { isEmpty(null); } catch (NullPointerException e) { print(last, e.getMessage()); }
      try { first(""); } catch (StringIndexOutOfBoundsException e) { print(last, e.getMessage()); }
    }
    System.out.println(total);

    int[] ints = new int[64];
    long[] longs = new long[64];
    Object[] objects = new Object[64];
    String[] texts = new String[64];
    for (int i = 0; i < 64; i++) {
      ints[i] = i;
      longs[i] = (long) i << 33;
      objects[i] = i % 5 == 0 ? (Object) i : "text " + i;
      texts[i] = "t" + i;
    }
    long check = 0;
    for (int round = 0; round < 3000; round++) {
      int from = round % 13, to = round % 17, count = round % 40;
      copy(ints, from, ints, to, count);
      copy(longs, to, longs, from, count);
      copy(texts, from, texts, to, count);
      copy(texts, from, objects, to, count % 7);
      if (round % 100 == 0) { texts[round % 64] = new String("new " + round); if (round % 1000 == 0) System.gc(); }
      check = check * 31 + ints[round % 64] + longs[(round * 7) % 64] + texts[(round * 11) % 64].length()
              + objects[(round * 3) % 64].hashCode() % 1000;
    }
    System.out.println(check);
    for (int round = 0; round < 300; round++) {
      boolean last = round == 299;
      print(last, tryCopy(null, 0, ints, 0, 1));
      print(last, tryCopy(ints, 0, null, 0, 1));
      print(last, tryCopy(ints, 0, longs, 0, 1));
      print(last, tryCopy("text", 0, "text", 0, 1));
      print(last, tryCopy(ints, 0, objects, 0, 1));
      print(last, tryCopy(ints, -1, ints, 0, 1));
      print(last, tryCopy(ints, 0, ints, -1, 1));
      print(last, tryCopy(ints, 0, ints, 0, -1));
      print(last, tryCopy(ints, 1, ints, 0, 64));
      print(last, tryCopy(ints, 0, ints, 1, 64));
      print(last, tryCopy(ints, 64, ints, 64, 0));
      print(last, tryCopy(ints, 2, ints, 0, Integer.MAX_VALUE));
      Object[] mixed = {"one", "two", 3, "four"};
      String[] target = new String[4];
      print(last, tryCopy(mixed, 0, target, 0, 4));
      print(last, target[0] + target[1] + target[2] + target[3]);
    }
  }
}
