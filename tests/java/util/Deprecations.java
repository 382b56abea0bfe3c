// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Members that are deprecated for removal: boxed constructors, Thread.getId and others still work, without a warning at
// run time; Thread.stop throws, and Thread.suspend is gone.
// since: 25
@SuppressWarnings({"removal", "deprecation"})
public class Deprecations {
    public static void main(String[] arguments) throws Exception {
        System.out.println(new Integer(5).equals(5) + " " + new Integer(5).hashCode());
        System.out.println(Thread.currentThread().getId() == Thread.currentThread().threadId());
        System.out.println(Thread.class.getMethod("getId").getAnnotation(Deprecated.class));
        System.out.println(Integer.class.getConstructor(int.class).getAnnotation(Deprecated.class));
        for (Runnable each : new Runnable[] {() -> Thread.currentThread().stop(),
            () -> Thread.currentThread().getThreadGroup().destroy()}) {
            try {
                each.run();
                System.out.println("done");
            } catch (UnsupportedOperationException e) {
                System.out.println(e);
            }
        }
        try {
            Thread.class.getMethod("suspend");
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
        System.runFinalization();
        System.out.println(java.security.AccessController.doPrivileged((java.security.PrivilegedAction<String>) () ->
            "privileged"));
    }
}
