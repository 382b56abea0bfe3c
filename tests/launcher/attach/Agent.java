// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The agent that attach.py loads into running programs: prints its options, and throws if they are "throw".
import java.lang.instrument.Instrumentation;

public class Agent {
    public static void agentmain(String options, Instrumentation instrumentation) {
        System.out.println("agent " + options + " " + (instrumentation.getObjectSize(new Object()) > 0));
        if ("throw".equals(options)) throw new IllegalStateException("as told");
    }
}
