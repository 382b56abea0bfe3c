// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls Field.get a million times, for an int field of an object and for a static reference.
import java.lang.reflect.Field;

public final class FieldReads extends Kernel {
    private static final int READS = 500_000;
    public static String text = "text";
    public int number;

    @Override
    protected long work() {
        try {
            Field ofObject = FieldReads.class.getField("number"), ofClass = FieldReads.class.getField("text");
            long result = 0;
            for (int i = 0; i < READS; i++) {
                number = i;
                result += (Integer) ofObject.get(this) + ((String) ofClass.get(null)).length();
            }
            return result;
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }

    public static void main(String[] arguments) {
        new FieldReads().measure(arguments);
    }
}
