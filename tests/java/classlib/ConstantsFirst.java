// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A descriptor's text is parsed before anything else has touched java.lang.constant, after a lambda.
// since: 25
import java.lang.constant.MethodTypeDesc;

public class ConstantsFirst {
    public static void main(String[] arguments) {
        Runnable lambda = () -> System.out.println(MethodTypeDesc.ofDescriptor("(IJ[Ljava/lang/String;)V").displayDescriptor());
        lambda.run();
    }
}
