// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls into C libraries are refused in words; segments and lookups by name work as far as they need none.
// since: 25
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;

public class ForeignCalls {
    public static void main(String[] arguments) {
        FunctionDescriptor descriptor = FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);
        System.out.println(descriptor + " " + descriptor.toMethodType());
        System.out.println(descriptor.appendArgumentLayouts(ValueLayout.JAVA_INT).argumentLayouts().size() + " "
                           + FunctionDescriptor.ofVoid().returnLayout() + " " + descriptor.dropReturnLayout());
    }
}
