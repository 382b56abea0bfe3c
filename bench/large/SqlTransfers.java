// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A bank in a database. Threads move money between accounts, query sums, and record all transfers in a table. Transfers
// commute, so the final state does not depend on their order. Each transfer locks its accounts in the order of their
// numbers, so there are no deadlocks.
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

abstract class SqlTransfers extends Workload {
    private static final int ACCOUNTS = 1000, BRANCHES = 20, THREADS = 2, TRANSFERS_TO_A_QUERY = 20;
    private final String url;
    private final int transfers;   // of each thread
    private final Connection keepsDatabase;

    SqlTransfers(String url, int transfers) {
        this.url = url;
        this.transfers = transfers;
        try {
            keepsDatabase = DriverManager.getConnection(url);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private void fill() throws SQLException {
        try (Statement statement = keepsDatabase.createStatement()) {
            statement.execute("create table account (id int primary key, branch int, owner varchar(40), balance bigint)");
            statement.execute("create index of_branch on account (branch)");
            statement.execute("create table book (id int primary key, giver int, taker int, amount int)");
        }
        Words words = new Words(5, 2000);
        try (PreparedStatement insert = keepsDatabase.prepareStatement("insert into account values (?, ?, ?, ?)")) {
            for (int i = 0; i < ACCOUNTS; i++) {
                insert.setInt(1, i);
                insert.setInt(2, i % BRANCHES);
                insert.setString(3, words.next());
                insert.setLong(4, 1000);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private void clerk(int number) throws SQLException {
        Random random = new Random(number);
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            PreparedStatement add = connection.prepareStatement("update account set balance = balance + ? where id = ?");
            PreparedStatement book = connection.prepareStatement("insert into book values (?, ?, ?, ?)");
            PreparedStatement one = connection.prepareStatement("select balance, owner from account where id = ?");
            PreparedStatement some = connection.prepareStatement("select b.amount, a.owner from book b "
                    + "join account a on b.taker = a.id where b.id between ? and ? order by b.amount desc, b.id");
            for (int i = 0; i < transfers; i++) {
                int giver = random.nextInt(ACCOUNTS), taker = random.nextInt(ACCOUNTS), amount = random.nextInt(100);
                int first = Math.min(giver, taker), second = Math.max(giver, taker);
                change(add, first, first == giver ? -amount : amount);
                change(add, second, second == giver ? -amount : amount);
                one.setInt(1, giver);
                try (ResultSet found = one.executeQuery()) {
                    if (!found.next() || found.getString(2).isEmpty()) throw new IllegalStateException("no account");
                }
                book.setInt(1, number * transfers + i);
                book.setInt(2, giver);
                book.setInt(3, taker);
                book.setInt(4, amount);
                book.executeUpdate();
                connection.commit();
                if (i % TRANSFERS_TO_A_QUERY == TRANSFERS_TO_A_QUERY - 1) {
                    some.setInt(1, number * transfers + i - TRANSFERS_TO_A_QUERY + 1);
                    some.setInt(2, number * transfers + i);
                    int rows = 0;
                    try (ResultSet found = some.executeQuery()) {
                        while (found.next()) rows++;
                    }
                    if (rows != TRANSFERS_TO_A_QUERY) throw new IllegalStateException(rows + " rows");
                    connection.commit();
                }
            }
        }
    }

    private static void change(PreparedStatement add, int account, int amount) throws SQLException {
        add.setInt(1, amount);
        add.setInt(2, account);
        if (add.executeUpdate() != 1) throw new IllegalStateException("no account " + account);
    }

    private long digest() throws SQLException {
        long digest = 0;
        String[] queries = {"select branch, sum(balance), count(*) from account group by branch order by branch",
                "select giver, sum(amount), count(*) from book group by giver order by giver",
                "select a.branch, sum(b.amount), max(b.amount) from book b join account a on a.id = b.taker "
                        + "group by a.branch order by a.branch"};
        try (Statement statement = keepsDatabase.createStatement()) {
            for (String query : queries) {
                try (ResultSet rows = statement.executeQuery(query)) {
                    while (rows.next())
                        for (int column = 1; column <= 3; column++) digest = mixed(digest, rows.getLong(column));
                }
            }
            statement.execute("drop table book");
            statement.execute("drop table account");
        }
        return digest;
    }

    @Override protected long iteration() throws Exception {
        fill();
        inThreads(THREADS, this::clerk);
        return digest();
    }
}
