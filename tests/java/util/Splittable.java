// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Random generators of Java 17 and SplittableRandom: sequences from seeds.
import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

public class Splittable {
    public static void main(String[] args) {
        SplittableRandom s = new SplittableRandom(42);
        System.out.println(s.nextInt() + " " + s.nextLong() + " " + s.nextInt(10, 20) + " " + s.nextDouble() + " "
                + s.split().nextInt(1000) + " " + s.nextBoolean());
        for (String name : new String[] {"L32X64MixRandom", "L64X128MixRandom", "Xoshiro256PlusPlus",
                     "Xoroshiro128PlusPlus", "Random", "SplittableRandom"}) {
            RandomGenerator g = RandomGeneratorFactory.of(name).create(7);
            System.out.println(
                    name + " " + g.nextInt() + " " + g.nextLong(1000) + " " + g.nextFloat() + " " + g.nextGaussian());
        }
        System.out.println(RandomGeneratorFactory.all().map(RandomGeneratorFactory::name).sorted().toList());
        System.out.println(RandomGenerator.getDefault().getClass().getSimpleName() + " "
                + new Random(1).ints(5, 0, 100).boxed().toList() + " " + new SplittableRandom(1).longs(2).sum());
        try {
            RandomGenerator.of("Nope");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            new Random().nextInt(0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
