// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// SwitchBootstraps called directly: labels of each kind, the restart index, labels that are refused.
// since: 21
import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.runtime.SwitchBootstraps;

public class SwitchSites {
    enum Color { RED, GREEN }

    static final MethodType OF_OBJECTS = MethodType.methodType(int.class, Object.class, int.class);

    static void show(String what, MethodType type, Object[] labels, Object[] targets) throws Throwable {
        CallSite site = SwitchBootstraps.typeSwitch(MethodHandles.lookup(), "any", type, labels);
        StringBuilder line = new StringBuilder(what);
        for (Object target : targets)
            for (int restart = 0; restart <= labels.length; restart++)
                line.append(' ').append((int) site.dynamicInvoker().invoke(target, restart));
        System.out.println(line);
    }

    public static void main(String[] arguments) throws Throwable {
        show("types", OF_OBJECTS, new Object[] {String.class, Integer.class, CharSequence.class, Object.class},
             new Object[] {"s", 1, new StringBuilder(), null, 2.0});
        show("constants", OF_OBJECTS, new Object[] {"one", 1, "two", 2}, new Object[] {"one", "two", 1, 2, 'a', null});
        show("none", OF_OBJECTS, new Object[0], new Object[] {"s", null});
        CallSite enums = SwitchBootstraps.enumSwitch(MethodHandles.lookup(), "any",
            MethodType.methodType(int.class, Color.class, int.class), "GREEN", Color.class, "MISSING");
        System.out.println((int) enums.dynamicInvoker().invoke(Color.RED, 0) + " "
                           + (int) enums.dynamicInvoker().invoke(Color.GREEN, 0) + " "
                           + (int) enums.dynamicInvoker().invoke(Color.GREEN, 1) + " "
                           + (int) enums.dynamicInvoker().invoke(Color.GREEN, 2) + " "
                           + (int) enums.dynamicInvoker().invoke((Color) null, 0));
        for (Object[] wrong : new Object[][] {{2.5}, {null}, {new Object()}}) {
            try {
                SwitchBootstraps.typeSwitch(MethodHandles.lookup(), "any", OF_OBJECTS, wrong);
                System.out.println("accepted");
            } catch (IllegalArgumentException | NullPointerException e) {
                System.out.println(e.getClass().getSimpleName());
            }
        }
        try {
            CallSite site = SwitchBootstraps.typeSwitch(MethodHandles.lookup(), "any", OF_OBJECTS, String.class);
            site.dynamicInvoker().invoke((Object) "s", 5);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
