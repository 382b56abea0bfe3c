// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.MatchException, of Java 21 and later: thrown by pattern switches when nothing matches, or matching itself
// fails (JLS 21, 14.30.2 and 15.28.2). The library of JDK 17 does not have it; class files of later versions need it.
package java.lang;

public final class MatchException extends RuntimeException {
    @java.io.Serial
    private static final long serialVersionUID = 0L;

    public MatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
