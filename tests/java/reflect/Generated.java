// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reflection over parameters, exceptions, modifiers, varargs, synthetic members; failures of invoke.
// javac: -parameters
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;

public class Generated {
    public static class Sample {
        public Sample(int a, final String... rest) {}
        public static strictfp synchronized long many(byte b, short s, char c, int i, long l, float f, double d,
                boolean z, Object[] o) throws java.io.IOException {
            return b + s + c + i + l + (long) f + (long) d + (z ? 1 : 0) + o.length;
        }
        protected void fails() { throw new UnsupportedOperationException("inside"); }
        int answer() { return 42; }
    }
    public static void main(String[] args) throws Exception {
        for (Constructor<?> c : Sample.class.getConstructors())
            for (Parameter p : c.getParameters())
                System.out.println(
                        p + " " + p.isNamePresent() + " " + p.isVarArgs() + " " + Modifier.toString(p.getModifiers()));
        Method many =
                Arrays.stream(Sample.class.getMethods()).filter(m -> m.getName().equals("many")).findFirst().get();
        System.out.println(many.toGenericString() + " " + many.getParameterCount() + " "
                + Arrays.toString(many.getExceptionTypes()));
        System.out.println(many.invoke(null, (byte) 1, (short) 2, 'c', 4, 5L, 6f, 7.0, true, new String[2]));
        System.out.println(many.invoke(null, (byte) 1, (byte) 2, 'c', (short) 4, 'x', 6, 7f, true, new Object[0]));
        Sample s = new Sample(1);
        Object[][] wrong = {{1}, {}, {"x", (short) 2, 'c', 4, 5L, 6f, 7.0, true, null},
                {null, (short) 2, 'c', 4, 5L, 6f, 7.0, true, null}};
        for (Object[] w : wrong) {
            try {
                many.invoke(s, w);
            } catch (IllegalArgumentException | NullPointerException e) {
                System.out.println(e);
            }
        }
        try {
            Sample.class.getDeclaredMethod("fails").invoke(s);
        } catch (InvocationTargetException e) {
            System.out.println(e + " " + e.getCause() + " " + e.getCause().getStackTrace()[0].getMethodName());
        }
        for (Object target : new Object[] {"not a sample", null}) {
            try {
                Sample.class.getDeclaredMethod("answer").invoke(target);
            } catch (IllegalArgumentException | NullPointerException e) {
                System.out.println(e instanceof NullPointerException ? "NPE" : e);
            }
        }
        try {
            Sample.class.getMethod("answer");
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
        try {
            java.util.AbstractList.class.getDeclaredConstructor().newInstance();
        } catch (Exception e) {
            System.out.println(e);
        }
        for (int i = 0; i < 40; i++)
            if (!Sample.class.getDeclaredMethod("answer").invoke(s).equals(42))
                System.out.println("wrong");
        System.out.println(
                Sample.class.getConstructors()[0].newInstance(5, new String[] {"a"}).getClass().getSimpleName());
    }
}
