// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The action of Subject.doAs, the methods it calls, and the threads they make have the subject in their context.
import java.security.AccessController;
import java.security.PrivilegedAction;
import javax.security.auth.Subject;

import com.sun.security.auth.UnixPrincipal;
import com.sun.security.auth.module.UnixSystem;

public class Subjects {
    static String name() {
        Subject subject = Subject.getSubject(AccessController.getContext());
        return subject == null ? "nobody" : subject.getPrincipals().iterator().next().getName();
    }

    static Subject of(String name) {
        Subject subject = new Subject();
        subject.getPrincipals().add(new UnixPrincipal(name));
        return subject;
    }

    static String inThread() {
        String[] seen = new String[1];
        Thread thread = new Thread(() -> seen[0] = name());
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException ignored) {
        }
        return seen[0];
    }

    static String nested(int depth) {
        return depth == 0 ? name() : nested(depth - 1);
    }

    public static void main(String[] arguments) {
        System.out.println(name());
        PrivilegedAction<String> ask = Subjects::name;
        System.out.println(Subject.doAs(of("ann"), ask));
        System.out.println(Subject.doAs(of("bob"), (PrivilegedAction<String>) () -> nested(50)));
        System.out.println(Subject.doAs(of("cid"), (PrivilegedAction<String>) Subjects::inThread));
        System.out.println(Subject.doAs(of("dan"), (PrivilegedAction<String>) () -> Subject.doAs(of("eve"), ask) + name()));
        System.out.println(Subject.doAs(of("fay"), (PrivilegedAction<String>) () -> AccessController.doPrivileged(ask)));
        System.out.println(Subject.doAsPrivileged(of("gus"), ask, null));
        System.out.println(Subject.doAsPrivileged(null, ask, null));
        String last = null;
        for (int i = 0; i < 20000; i++) last = Subject.doAs(of("hal"), ask);   // compiled
        System.out.println(last + name());
        UnixSystem user = new UnixSystem();
        System.out.println(user.getUsername() + " " + user.getUid() + " " + user.getGid() + " "
                + java.util.Arrays.toString(user.getGroups()));
    }
}
