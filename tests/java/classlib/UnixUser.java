// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The user that runs the process, as java's login modules see it.
import java.util.Arrays;
import java.util.Map;

import javax.security.auth.Subject;

import com.sun.security.auth.module.UnixLoginModule;
import com.sun.security.auth.module.UnixSystem;

public class UnixUser {
    public static void main(String[] arguments) throws Exception {
        UnixSystem user = new UnixSystem();
        System.out.println(user.getUsername() + " " + user.getUid() + " " + user.getGid() + " "
                + Arrays.toString(user.getGroups()));
        Subject subject = new Subject();
        UnixLoginModule module = new UnixLoginModule();
        module.initialize(subject, null, Map.of(), Map.of());
        System.out.println(module.login() + " " + module.commit());
        subject.getPrincipals().forEach(System.out::println);
    }
}
