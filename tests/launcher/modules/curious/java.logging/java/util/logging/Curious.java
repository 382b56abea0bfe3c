// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// --patch-module adds this class to java.logging, a module that does not read java.sql or java.xml.
package java.util.logging;

public class Curious {
    public static void main(String[] args) throws Exception {
        System.out.println(Curious.class.getModule() + " "
                + Curious.class.getModule().canRead(ModuleLayer.boot().findModule("java.xml").get()));
        try {
            System.out.println(new javax.xml.namespace.QName("name"));
        } catch (IllegalAccessError refused) {
            System.out.println(refused.getMessage());
        }
        try {
            System.out.println(
                    Class.forName("javax.xml.namespace.QName").getConstructor(String.class).newInstance("name"));
        } catch (Throwable refused) {
            System.out.println(refused);
        }
        try {
            System.out.println(new java.sql.Date(0).getTime());
        } catch (Error refused) {
            System.out.println(refused);
        }
        try {
            System.out.println(sun.net.www.MessageHeader.class.getName() + new sun.net.www.MessageHeader());
        } catch (IllegalAccessError refused) {
            System.out.println(refused.getMessage());
        }
    }
}
