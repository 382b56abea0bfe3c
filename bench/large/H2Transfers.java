// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two threads move money between the accounts of a bank: SQL transactions on a database in memory.
// maven: com.h2database:h2:2.3.232
// iterations: 16
// locks: yes
public class H2Transfers extends SqlTransfers {
    private H2Transfers() {
        super("jdbc:h2:mem:bank;LOCK_TIMEOUT=60000", 3000);
    }

    public static void main(String[] arguments) throws Exception {
        new H2Transfers().run(arguments);
    }
}
