// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A stream pipeline with lambdas.
import java.util.stream.IntStream;
public class Streams extends Kernel {
    protected long work() {
        long sum = 0;
        for (int round = 0; round < 40; round++) {
            int base = round;
            sum += IntStream.range(0, 5_000).filter(x -> (x & 1) == 0).mapToLong(x -> (long) x * base).sum();
        }
        return sum;
    }
    public static void main(String[] arguments) { new Streams().measure(arguments); }
}
