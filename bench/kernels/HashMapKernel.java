// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.util.HashMap with boxed keys: library code, virtual calls, allocation.
import java.util.HashMap;
public class HashMapKernel extends Kernel {
    protected long work() {
        HashMap<Integer, Integer> map = new HashMap<>();
        long sum = 0;
        for (int i = 0; i < 60_000; i++) map.merge(i * 7919 % 10_007, 1, Integer::sum);
        for (int i = 0; i < 60_000; i++) { Integer value = map.get(i % 12_000); if (value != null) sum += value; }
        return sum;
    }
    public static void main(String[] arguments) { new HashMapKernel().measure(arguments); }
}
