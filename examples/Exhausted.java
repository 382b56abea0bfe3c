// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A leak: a cache that forgets nothing. With -XX:+HeapDumpOnOutOfMemoryError the dump shows who holds what, and in
// which frame it happened.
import java.util.*;

public class Exhausted {
    record Session(int number, String user, byte[] data) { }

    static final Map<Integer, Session> cache = new HashMap<>();

    static void serve(int request) {
        cache.put(request, new Session(request, "user " + request % 100, new byte[1000]));
    }

    public static void main(String[] args) {
        for (int request = 0; ; request++) serve(request);
    }
}
