// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Building, concatenating and searching strings.
public class StringKernel extends Kernel {
    protected long work() {
        long sum = 0;
        for (int round = 0; round < 300; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 60; i++) text.append(i).append(',').append("item").append(i * 3L);
            String all = text.toString();
            sum += all.hashCode() + all.indexOf("item99") + all.length();
            String small = "r" + round + ":" + sum;
            sum += small.length();
        }
        return sum;
    }
    public static void main(String[] arguments) { new StringKernel().measure(arguments); }
}
