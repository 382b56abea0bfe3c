// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Array stores and simple loops.
public class Sieve extends Kernel {
    protected long work() {
        int limit = 1_500_000;
        boolean[] composite = new boolean[limit + 1];
        int primes = 0;
        for (int n = 2; n <= limit; n++) {
            if (composite[n]) continue;
            primes++;
            for (int multiple = n + n; multiple <= limit; multiple += n) composite[multiple] = true;
        }
        return primes;
    }
    public static void main(String[] arguments) { new Sieve().measure(arguments); }
}
