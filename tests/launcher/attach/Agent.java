// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// An agent that attach.py has loaded into running programs: says what it was given, throws when told so.
import java.lang.instrument.Instrumentation;

public class Agent {
    public static void agentmain(String options, Instrumentation instrumentation) {
        System.out.println("agent " + options + " " + (instrumentation.getObjectSize(new Object()) > 0));
        if ("throw".equals(options)) throw new IllegalStateException("as told");
    }
}
