// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The sieve of Eratosthenes: arrays, loops, nothing else. A first look at how fast a tier is.
//
// Run: ./keyhole examples/Sieve.java [limit]

public class Sieve {
    static int countPrimes(int limit) {
        boolean[] composite = new boolean[limit + 1];
        int primes = 0;
        for (int n = 2; n <= limit; n++) {
            if (composite[n]) {
                continue;
            }
            primes++;
            for (long multiple = (long) n * n; multiple <= limit; multiple += n) {
                composite[(int) multiple] = true;
            }
        }
        return primes;
    }

    public static void main(String[] arguments) {
        int limit = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000;
        System.out.println("primes up to " + limit + ": " + countPrimes(limit));
    }
}
