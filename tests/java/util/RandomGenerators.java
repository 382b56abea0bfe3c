// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// RandomGenerator: each algorithm by name with a seed; splits, jumps, streams; a name that does not exist.
// since: 21
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;

public class RandomGenerators {
    public static void main(String[] arguments) {
        RandomGeneratorFactory.all().filter(f -> !f.name().equals("SecureRandom"))
            .sorted((a, b) -> a.name().compareTo(b.name())).forEach(factory -> {
            RandomGenerator generator = factory.create(42);
            System.out.println(factory.name() + " " + factory.group() + " " + factory.stateBits() + " "
                               + factory.equidistribution() + " " + generator.nextLong() + " " + generator.nextInt(100)
                               + " " + generator.nextDouble(5.0, 6.0));
        });
        RandomGenerator.SplittableGenerator tree = RandomGenerator.SplittableGenerator.of("L64X128MixRandom");
        System.out.println(tree.splits(3).count());
        RandomGenerator.JumpableGenerator jumps =
            (RandomGenerator.JumpableGenerator) RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(7);
        System.out.println(jumps.nextLong() + " " + jumps.copyAndJump().nextLong() + " " + jumps.jumpDistance());
        RandomGenerator random = RandomGeneratorFactory.of("L128X256MixRandom").create(1);
        System.out.println(random.ints(5, 0, 10).boxed().map(String::valueOf).collect(Collectors.joining(" ")));
        System.out.println(random.nextGaussian() + " " + random.nextExponential() + " " + random.nextBoolean());
        try {
            RandomGeneratorFactory.of("NoSuchAlgorithm");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(java.util.Random.from(RandomGeneratorFactory.of("L64X128MixRandom").create(3)).nextInt());
    }
}
