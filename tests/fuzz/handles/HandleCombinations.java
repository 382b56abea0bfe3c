// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs numbered combinations of handles, adapters, types and values. Each line of output is one call and its outcome.
//
//   HandleCombinations KIND SEED FIRST COUNT STRIDE
//
//   KIND        combination
//   pipelines   a handle of Sources, up to three adapters around it, and calls: at typed sites or with any arguments
//   matrix      one adapter of every kind between every two types, with values of every class
//   variables   a variable handle in one mode, as a method handle, by an invoker, or at a typed site
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.regex.Pattern;

public class HandleCombinations {
    interface Call {
        Object call() throws Throwable;
    }

    static final int CALLS = 3;

    // Matches a type with several parameters, in the form that method handles print.
    private static final Pattern WIDE = Pattern.compile("\\([^)]*,");

    private final long seed;

    HandleCombinations(long seed) {
        this.seed = seed;
    }

    // Describes an exception. The message of a NullPointerException differs between VMs, and java's compiled code omits
    // the message about a missing interface.
    static String outcome(Throwable thrown) {
        String message = thrown.getMessage();
        boolean isFree = thrown instanceof IncompatibleClassChangeError
                || thrown instanceof NullPointerException && message != null && message.startsWith("Cannot ");
        String text = thrown.getClass().getName() + ": " + (isFree ? null : message);
        Throwable cause = thrown.getCause();
        return (cause == null ? text : text + " / " + outcome(cause)).replace('\n', ' ')
                .replaceAll("@[0-9a-f]+", "@HASH");
    }

    // Whether a call converts several arguments. java converts them in an unspecified order, and refuses the
    // first wrong one. So the test compares only whether the call is refused, but not the message.
    private boolean isWide;

    // Makes a call and prints its line.
    private void line(long number, String text, Call call) throws Throwable {
        String result;
        try {
            result = "= " + call.call();
        } catch (VirtualMachineError error) {
            result = error.getClass().getName();
        } catch (Throwable thrown) {
            boolean isRefused = thrown instanceof ClassCastException || thrown instanceof NullPointerException;
            result = isWide && isRefused ? "refused" : outcome(thrown);
        }
        System.out.println(number + text + " " + result + " |" + Sources.TRACE + Sources.changed());
    }

    // --- pipelines ---------------------------------------------------------------------------------------------------

    private void pipeline(long number) throws Throwable {
        Sources.reset();
        Dice dice = new Dice(seed, number);
        StringBuilder text = new StringBuilder();
        MethodHandle handle;
        try {
            handle = new Sources(dice, text).any();
            Steps steps = new Steps(dice, text);
            isWide = handle.type().parameterCount() > 1;
            for (int i = dice.below(4); i > 0; i--) {
                handle = steps.step(handle, dice.below(Steps.KINDS));
                isWide |= handle.type().parameterCount() > 1;
            }
            isWide |= WIDE.matcher(text).find();
        } catch (Throwable thrown) {
            System.out.println(number + text.toString() + " " + outcome(thrown));
            return;
        }
        System.out.println(number + text.toString() + " :: " + handle.type() + handle.isVarargsCollector());
        for (int i = 0; i < CALLS; i++) call(number, dice, handle);
    }

    private void call(long number, Dice dice, MethodHandle handle) throws Throwable {
        Sources.reset();
        Class<?>[] types = handle.type().parameterArray();
        int way = dice.below(8);
        switch (way) {
            case 0: case 1: {
                Object[] arguments = Values.of(dice, types);
                line(number, " with", () -> Values.show(handle.invokeWithArguments(arguments)));
                break;
            }
            case 2: {
                Object[] arguments = new Object[Math.max(0, types.length + (dice.oneIn(3) ? dice.below(3) - 1 : 0))];
                for (int i = 0; i < arguments.length; i++) arguments[i] = Values.any(dice);
                line(number, " any", () -> Values.show(handle.invokeWithArguments(arguments)));
                break;
            }
            case 3: {
                Object[] arguments = Values.of(dice, types);
                if (arguments.length > 0) arguments[dice.below(arguments.length)] = Values.any(dice);
                line(number, " one any", () -> Values.show(handle.invokeWithArguments(Arrays.asList(arguments))));
                break;
            }
            default: {
                int site = siteFor(dice, handle);
                MethodType type = Sites.TYPES[site];
                Object[] arguments = Values.of(dice, type.parameterArray());
                boolean exact = way < 6;
                line(number, (exact ? " exactly " : " site ") + type,
                     () -> exact ? Sites.exact(site, handle.asType(type), arguments)
                                 : Sites.generic(site, handle, arguments));
                break;
            }
        }
    }

    // Returns the number of a call site to whose type the handle can be adapted, if a few draws find one.
    private static int siteFor(Dice dice, MethodHandle handle) {
        int site = 0;
        for (int i = 0; i < 40; i++) {
            site = dice.below(Sites.TYPES.length);
            if (Sites.TYPES[site].parameterCount() != handle.type().parameterCount()) continue;
            try {
                handle.asType(Sites.TYPES[site]);
                return site;
            } catch (RuntimeException refused) {
                if (i > 30) return site;
            }
        }
        return site;
    }

    // --- matrix ------------------------------------------------------------------------------------------------------

    private static final int ADAPTERS = 13;

    // Tests one adapter between two types: number = (adapter * types + from) * types + to.
    private void matrix(long number) throws Throwable {
        Sources.reset();
        Dice dice = new Dice(seed, number);
        int types = Values.ALL.length;
        Class<?> to = Values.ALL[(int) (number % types)];
        Class<?> from = Values.ALL[(int) (number / types % types)];
        int adapter = (int) (number / types / types % ADAPTERS);
        MethodHandle handle;
        try {
            handle = between(dice, adapter, from, to);
        } catch (Throwable thrown) {
            System.out.println(number + " " + adapter + " " + from + " " + to + " " + outcome(thrown));
            return;
        }
        for (int i = 0; i < CALLS; i++) {
            Sources.reset();
            Object[] arguments = handle.type().parameterCount() == 0 ? new Object[0] : new Object[] {
                    i == 0 ? Values.of(dice, handle.type().parameterType(0)) : i == 1 ? null : Values.any(dice)};
            line(number, " " + adapter + " " + handle.type() + Values.show(arguments),
                 () -> Values.show(handle.invokeWithArguments(arguments)));
        }
    }

    private MethodHandle between(Dice dice, int adapter, Class<?> from, Class<?> to) {
        MethodHandle target = Sources.tracing(to);
        MethodType type = MethodType.methodType(to, from);
        Class<?> array = java.lang.reflect.Array.newInstance(from, 0).getClass();
        switch (adapter) {
            case 0: return target.asType(type);
            case 1: return Sources.tracing(from).asType(type);
            case 2: return MethodHandles.explicitCastArguments(target, type);
            case 3: return MethodHandles.explicitCastArguments(Sources.tracing(from), type);
            case 4: return target.asSpreader(array, 1);
            case 5: return MethodHandles.spreadInvoker(MethodType.methodType(Object.class, to), 0).bindTo(target)
                            .asType(MethodType.methodType(Object.class, Object[].class));
            case 6: return MethodHandles.invoker(type).bindTo(target);
            case 7: {
                Class<?> taken = java.lang.reflect.Array.newInstance(to, 0).getClass();
                return Sources.tracing(Object.class).asType(MethodType.methodType(Object.class, taken))
                        .asCollector(taken, 1).asType(MethodType.methodType(Object.class, from));
            }
            case 8: return MethodHandles.insertArguments(target, 0, Values.of(dice, from));
            case 9: return MethodHandles.constant(to, Values.of(dice, from));
            case 10: return MethodHandles.filterArguments(target, 0,
                             Sources.tracing(from).asType(MethodType.methodType(to, from)));
            case 11: return MethodHandles.filterReturnValue(Sources.tracing(from), target.asType(type));
            default: return MethodHandles.iteratedLoop(null, MethodHandles.zero(to),
                             MethodHandles.dropArguments(target, 1, from));
        }
    }

    // --- variables ---------------------------------------------------------------------------------------------------

    private void variable(long number) throws Throwable {
        Sources.reset();
        Dice dice = new Dice(seed, number);
        StringBuilder text = new StringBuilder();
        Variables variables = new Variables(dice, text);
        VarHandle handle;
        try {
            handle = variables.any();
        } catch (Throwable thrown) {
            System.out.println(number + text.toString() + " " + outcome(thrown));
            return;
        }
        for (int i = 0; i < CALLS; i++) {
            Sources.reset();
            int before = text.length();
            if (dice.oneIn(2)) {
                int site = variableSite(dice, handle);
                Object[] arguments = variables.arguments(VariableSites.TYPES[site].parameterArray());
                isWide = arguments.length > 1;
                line(number, text + " at " + VariableSites.NAMES[site] + VariableSites.TYPES[site]
                                     + Values.show(arguments),
                     () -> twice(() -> VariableSites.access(site, handle, arguments)) + Values.show(arguments));
            } else {
                MethodHandle access;
                try {
                    access = variables.access(handle);
                } catch (Throwable thrown) {
                    System.out.println(number + text.toString() + " " + outcome(thrown));
                    continue;
                }
                Object[] arguments = variables.arguments(access.type().parameterArray());
                if (dice.oneIn(5) && arguments.length > 0) arguments[dice.below(arguments.length)] = Values.any(dice);
                isWide = arguments.length > 1;
                line(number, text + Values.show(arguments),
                     () -> twice(() -> Values.show(access.invokeWithArguments(arguments))) + Values.show(arguments));
            }
            text.setLength(before);
        }
    }

    // Makes the call twice: the first access at a site links the site, and the second access uses the linked form.
    private static String twice(Call call) throws Throwable {
        return call.call() + ", " + call.call();
    }

    // Returns the number of a call site that passes as many arguments as the handle takes, mostly of types that fit.
    private static int variableSite(Dice dice, VarHandle handle) {
        int site = 0;
        for (int i = 0; i < 60; i++) {
            site = dice.below(VariableSites.TYPES.length);
            MethodType type = VariableSites.TYPES[site];
            VarHandle.AccessMode mode = VarHandle.AccessMode.valueFromMethodName(VariableSites.NAMES[site]);
            MethodType wanted = handle.accessModeType(mode);
            if (wanted.parameterCount() != type.parameterCount() || !Variables.isComparable(handle, mode)) continue;
            if (i > 40 || canPass(type, wanted)) return site;
        }
        return site;
    }

    private static boolean canPass(MethodType type, MethodType wanted) {
        for (int i = 0; i < type.parameterCount(); i++) {
            Class<?> from = type.parameterType(i), to = wanted.parameterType(i);
            boolean fits = from == to || from == Object.class || to.isAssignableFrom(from)
                    || from.isPrimitive() && to.isPrimitive();
            if (!fits) return false;
        }
        return true;
    }

    public static void main(String[] arguments) throws Throwable {
        String kind = arguments[0];
        HandleCombinations combinations = new HandleCombinations(Long.parseLong(arguments[1]));
        long first = Long.parseLong(arguments[2]), count = Long.parseLong(arguments[3]);
        long stride = Long.parseLong(arguments[4]);
        for (long number = first; number < first + count * stride; number += stride) {
            if (kind.equals("pipelines")) combinations.pipeline(number);
            else if (kind.equals("matrix")) combinations.matrix(number);
            else combinations.variable(number);
        }
    }
}
