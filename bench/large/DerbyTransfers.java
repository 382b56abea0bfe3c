// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The transactions of H2Transfers on Derby, in memory.
// maven: org.apache.derby:derby:10.16.1.1
// jvm: -Dderby.stream.error.file=/dev/null -Dderby.locks.waitTimeout=60
// iterations: 12
// locks: yes
public class DerbyTransfers extends SqlTransfers {
    private DerbyTransfers() {
        super("jdbc:derby:memory:bank;create=true", 1500);
    }

    public static void main(String[] arguments) throws Exception {
        new DerbyTransfers().run(arguments);
    }
}
