// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts a handle into a loop combinator, as one of its parts.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

final class LoopSteps {
    private final Dice dice;
    private final StringBuilder text;

    LoopSteps(Dice dice, StringBuilder text) {
        this.dice = dice;
        this.text = text;
    }

    private void say(String what, Object... details) {
        text.append(" > ").append(what);
        for (Object each : details) text.append(' ').append(each);
    }

    // Adapts the handle to be a loop's body: adds the parameters `fixed` before the handle's own parameters. Then,
    // nearly always, adds a parameter of the handle's result type as the first one.
    private MethodHandle body(MethodHandle handle, Class<?>... fixed) {
        Class<?> result = handle.type().returnType();
        MethodHandle body = MethodHandles.dropArguments(handle, 0, fixed);
        if (result != void.class && !dice.oneIn(15)) body = MethodHandles.dropArguments(body, 0, result);
        return body;
    }

    private MethodHandle made(Class<?> result, List<Class<?>> taken) {
        return Sources.returning(dice, MethodType.methodType(result, taken));
    }

    private static List<Class<?>> from(int first, MethodType type) {
        int count = type.parameterCount();
        return type.parameterList().subList(Math.min(first, count), count);
    }

    private static int own(MethodType type) {
        return type.returnType() == void.class ? 0 : 1;
    }

    private MethodHandle init(MethodType body, int skipped) {
        if (dice.oneIn(4)) return null;
        List<Class<?>> outer = from(own(body) + skipped, body);
        return made(dice.oneIn(15) ? long.class : body.returnType(), outer.subList(0, dice.below(outer.size() + 1)));
    }

    MethodHandle whileLoop(MethodHandle handle) {
        MethodHandle body = body(handle);
        MethodType type = body.type();
        MethodHandle predicate = Sources.threeTimes();
        if (dice.oneIn(2)) {
            List<Class<?>> taken = type.parameterList().subList(0, dice.below(type.parameterCount() + 1));
            predicate = MethodHandles.dropArguments(predicate, 0, taken);
        }
        if (dice.oneIn(15)) predicate = made(int.class, List.of());
        MethodHandle init = init(type, 0);
        say(dice.oneIn(2) ? "whileLoop" : "doWhileLoop", init, predicate, body);
        return text.indexOf("doWhile") < 0 ? MethodHandles.whileLoop(init, predicate, body)
                                           : MethodHandles.doWhileLoop(init, body, predicate);
    }

    MethodHandle countedLoop(MethodHandle handle) {
        MethodHandle body = body(handle, dice.oneIn(15) ? long.class : int.class);
        MethodType type = body.type();
        List<Class<?>> outer = from(own(type) + 1, type);
        List<Class<?>> some = outer.subList(0, dice.below(outer.size() + 1));
        MethodHandle end = MethodHandles.dropArguments(MethodHandles.constant(int.class, dice.below(4)), 0, some);
        MethodHandle init = init(type, 1);
        say("countedLoop", end, init, body);
        if (dice.oneIn(2)) return MethodHandles.countedLoop(end, init, body);
        MethodHandle start = MethodHandles.dropArguments(MethodHandles.constant(int.class, dice.below(3) - 1), 0, some);
        return MethodHandles.countedLoop(start, end, init, body);
    }

    MethodHandle iteratedLoop(MethodHandle handle) {
        Class<?> element = dice.of(Object.class, Object.class, Integer.class, int.class, String.class, long.class,
                Values.Base.class, Comparable.class, Values.Named.class);
        MethodHandle body = body(handle, element);
        MethodType type = body.type();
        MethodHandle iterator = null;
        List<Class<?>> outer = from(own(type) + 1, type);
        if (dice.oneIn(3)) {
            iterator = MethodHandles.dropArguments(Sources.iterator(dice), 0,
                    outer.subList(0, dice.below(outer.size() + 1)));
        } else if (!dice.oneIn(10)) {
            Class<?> iterated = dice.of(List.class, Iterable.class, Object.class);
            body = MethodHandles.dropArguments(body, own(type) + 1, iterated);
            type = body.type();
        }
        MethodHandle init = init(type, 1);
        say("iteratedLoop", element.getSimpleName(), iterator, init, body);
        return MethodHandles.iteratedLoop(iterator, init, body);
    }

    // Makes a loop with two clauses. The first clause counts to three, and the second clause has the handle as its
    // step.
    MethodHandle loop(MethodHandle handle) {
        MethodType type = handle.type();
        Class<?> result = type.returnType();
        MethodHandle step = MethodHandles.dropArguments(body(handle), 0, int.class);
        List<Class<?>> variables = new ArrayList<>(List.of(int.class));
        if (result != void.class) variables.add(result);
        // If only one clause of the loop has a finisher, the JDK may return bits of another type. So the test gives a
        // finisher to both clauses or to neither.
        MethodHandle finish = dice.oneIn(4) ? null : made(dice.oneIn(4) ? void.class : dice.of(Values.ALL), variables);
        MethodHandle init = dice.oneIn(2) ? null : made(result, List.of());
        MethodHandle[] counting = {MethodHandles.constant(int.class, 0), Sources.increment(), Sources.belowThree(),
                finish};
        MethodHandle[] stepping = {init, dice.oneIn(15) ? handle : step, null, dice.oneIn(2) ? finish : null};
        say("loop", finish, init, step);
        return dice.oneIn(2) ? MethodHandles.loop(counting, stepping)
                             : MethodHandles.loop(counting, stepping, new MethodHandle[0]);
    }
}
