// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Later uses of a class whose initializer failed repeat its message, up to a limit of length.
public class LongInitializerMessages {
    static class Failure extends Error {
        Failure(int length) {
            super("y".repeat(length));
        }
    }

    static class Fits { static int x; static { if (true) throw new Failure(1978); } }
    static class LosesABracket { static int x; static { if (true) throw new Failure(1979); } }
    static class LosesItsThread { static int x; static { if (true) throw new Failure(1999); } }
    static class LosesMore { static int x; static { if (true) throw new Failure(20_000); } }
    static class HasNone { static int x; static { if (true) throw new Error(); } }

    static void tryTwice(Runnable use) {
        for (int i = 0; i < 2; i++) {
            try {
                use.run();
            } catch (Throwable thrown) {
                for (Throwable each = thrown; each != null; each = each.getCause()) {
                    String message = String.valueOf(each.getMessage());
                    System.out.println(each.getClass().getName() + ", " + message.length() + ": "
                            + message.substring(0, Math.min(60, message.length())) + " ... "
                            + message.substring(Math.max(0, message.length() - 20)));
                }
            }
        }
    }

    public static void main(String[] arguments) {
        tryTwice(() -> System.out.println(Fits.x));
        tryTwice(() -> System.out.println(LosesABracket.x));
        tryTwice(() -> System.out.println(LosesItsThread.x));
        tryTwice(() -> System.out.println(LosesMore.x));
        tryTwice(() -> System.out.println(HasNone.x));
    }
}
