// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sorts objects with a comparator that is composed of lambdas.
import java.util.Arrays;
import java.util.Comparator;

public class SortKernel extends Kernel {
    record Person(String name, int age) {}

    protected long work() {
        Person[] people = new Person[12_000];
        int seed = 12345;
        for (int i = 0; i < people.length; i++) {
            seed = seed * 1103515245 + 12345;
            people[i] = new Person("p" + (seed >>> 20), (seed >>> 8) % 90);
        }
        Arrays.sort(people, Comparator.comparingInt(Person::age).thenComparing(Person::name));
        return people[100].age() * 31L + people[6000].name().hashCode();
    }

    public static void main(String[] arguments) {
        new SortKernel().measure(arguments);
    }
}
