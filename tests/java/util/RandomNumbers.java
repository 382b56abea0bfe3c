// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The sequences of java.util.Random and SplittableRandom, which are specified.
import java.util.*;

public class RandomNumbers {
    public static void main(String[] args) {
        Random r = new Random(12345);
        for (int i = 0; i < 5; i++)
            System.out.println(
                    r.nextInt()
                            + " "
                            + r.nextInt(100)
                            + " "
                            + r.nextLong()
                            + " "
                            + r.nextDouble()
                            + " "
                            + r.nextFloat()
                            + " "
                            + r.nextBoolean()
                            + " "
                            + r.nextGaussian());
        byte[] b = new byte[10];
        r.nextBytes(b);
        System.out.println(Arrays.toString(b));
        SplittableRandom s = new SplittableRandom(7);
        System.out.println(s.nextInt() + " " + s.split().nextLong() + " " + s.nextInt(5, 10));
        System.out.println(new Random(3).ints(5, 0, 10).boxed().toList());
        System.out.println(Math.random() < 1.0);
        System.out.println(java.util.concurrent.ThreadLocalRandom.current().nextInt(5) < 5);
        System.out.println(
                UUID.nameUUIDFromBytes("keyhole".getBytes())
                        + " "
                        + UUID.randomUUID().toString().length()
                        + " "
                        + new UUID(1, 2));
    }
}
