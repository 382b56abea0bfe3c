// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runtime.version and the properties that name the release; versions of class files; encodings.
// since: 25
import java.lang.reflect.ClassFileFormatVersion;

public class RuntimeVersion25 {
    public static void main(String[] arguments) {
        System.out.println(Runtime.version().feature() + " " + System.getProperty("java.specification.version") + " "
                           + System.getProperty("java.class.version") + " " + System.getProperty("java.vm.specification.version"));
        System.out.println(ClassFileFormatVersion.latest() + " " + ClassFileFormatVersion.fromMajor(65) + " "
                           + ClassFileFormatVersion.valueOf(Runtime.version()));
        System.out.println(Runtime.Version.parse("21.0.8+9-LTS").compareTo(Runtime.version()) < 0);
        System.out.println(System.getProperty("native.encoding") != null);
        System.out.println(System.getProperty("stdin.encoding") != null);
        System.out.println(System.getProperty("file.encoding") + " " + java.nio.charset.Charset.defaultCharset());
        System.out.println(javax.lang.model.SourceVersion.latest() + " " + javax.lang.model.SourceVersion.isKeyword("record"));
    }
}
