// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A compact source file: no class around its methods and fields, main without parameters, IO without import, java.base
// imported.
// since: 25
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

int counter = 40;
final List<String> words = new ArrayList<>(List.of("to", "be"));

record Item(String name, int price) {}

enum Size { S, M }

interface Shape {
    double area();
}

String greet(String who) {
    return "hello " + who;
}

void main() {
    IO.println(greet("world"));
    counter += 2;
    IO.println(counter);
    words.add("or");
    IO.println(String.join(" ", words));
    IO.println(new Item("pen", 3));
    IO.println(Size.M.compareTo(Size.S));
    Shape unit = () -> 1.0;
    IO.println(unit.area());
    IO.print("no line end");
    IO.println();
    IO.println(getClass().getName() + " " + getClass().isSynthetic() + " "
        + Modifier.toString(getClass().getModifiers()));
    IO.println(Arrays.stream(getClass().getDeclaredMethods()).map(Method::getName).filter(n -> !n.contains("$"))
        .sorted().toList());
}

static int unused() {
    return 0;
}
