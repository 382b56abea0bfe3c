// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The program's first use of java.lang.constant parses a descriptor, after a lambda has been linked.
// since: 25
import java.lang.constant.MethodTypeDesc;

public class ConstantsFirst {
    public static void main(String[] arguments) {
        Runnable lambda = () -> System.out.println(MethodTypeDesc.ofDescriptor("(IJ[Ljava/lang/String;)V").displayDescriptor());
        lambda.run();
    }
}
