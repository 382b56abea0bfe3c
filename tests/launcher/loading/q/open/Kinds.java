// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes that PackageAccess names in strings, descriptors, signatures and annotations, each of them in one place only.
package q.open;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

public class Kinds {
    public static class Named {}
    public static class Unused {}
    public static class Element {}
    public static class Loaded {}
    public static class Parameter {}
    public static class Result {}
    public static class OfField {}
    public static class OfConstructor {}
    public static class Declared extends Exception {}
    public static class OfType {}
    public static class OfHandle {}
    public static class Value {}

    @Retention(RetentionPolicy.RUNTIME)
    public @interface Mark {
        Class<?> value();
    }
}
