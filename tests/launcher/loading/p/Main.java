// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Says where the classes of its package come from, who signed them, and what their jar's manifest says of the package.
package p;

import java.io.InputStream;
import java.util.concurrent.Callable;

public class Main {
    static void show(String what, Callable<Object> action) {
        try {
            System.out.println(what + ": " + action.call());
        } catch (Throwable failure) {
            System.out.println(what + ": " + failure);
        }
    }

    static int count(Object[] array) {
        return array == null ? 0 : array.length;
    }

    static String describe(Class<?> type) {
        var source = type.getProtectionDomain().getCodeSource();
        return type.getName() + " of " + source.getLocation().getPath().replaceAll(".*/(?=.)", "") + ", certificates "
                + count(source.getCertificates()) + ", code signers " + count(source.getCodeSigners()) + ", signers "
                + count(type.getSigners());
    }

    public static void main(String[] arguments) {
        show("main", () -> describe(Main.class));
        Package own = Main.class.getPackage();
        System.out.println(own.getSpecificationTitle() + "|" + own.getSpecificationVersion() + "|"
                + own.getSpecificationVendor() + "|" + own.getImplementationTitle() + "|"
                + own.getImplementationVersion() + "|" + own.getImplementationVendor() + "|" + own.isSealed());
        show("other", () -> describe(Class.forName("p.Other")) + new Other());
        show("again", () -> Class.forName("p.Other").getName());
        show("without package", () -> describe(Class.forName("Bare")));
        show("text", () -> {
            try (InputStream stream = Main.class.getResourceAsStream("text.txt")) {
                return stream == null ? null : stream.getClass().getName() + " " + new String(stream.readAllBytes());
            }
        });
        show("closed", () -> {
            InputStream stream = Main.class.getResourceAsStream("Main.class");
            stream.close();
            return stream.read();
        });
    }
}
