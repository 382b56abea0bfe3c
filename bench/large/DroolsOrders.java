// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A rule engine (Drools) finds discounts and warnings for the orders of customers: joins, sums, rules that trigger
// other rules.
// maven: org.drools:drools-engine:8.44.0.Final org.drools:drools-mvel:8.44.0.Final
// iterations: 14
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.kie.api.KieBase;
import org.kie.api.definition.type.FactType;
import org.kie.api.io.ResourceType;
import org.kie.api.runtime.KieSession;
import org.kie.internal.utils.KieHelper;

public class DroolsOrders extends Workload {
    private static final int CUSTOMERS = 300, ORDERS = 8000;
    private static final String RULES = String.join("\n",
            "package orders",
            "global java.util.List log;",
            "declare Customer number : int good : boolean end",
            "declare Order number : int customer : int amount : int discounted : boolean end",
            "declare Note customer : int kind : String amount : int end",
            "rule 'large order' salience 5",
            "when $o : Order(amount > 90, $c : customer) then insert(new Note($c, \"large\", $o.getAmount())); end",
            "rule 'good customer'",
            "when $c : Customer(!good) accumulate(Order(customer == $c.number, $a : amount); $sum : sum($a); $sum > 400)",
            "then modify($c) { setGood(true) } end",
            "rule 'discount'",
            "when $c : Customer(good, $n : number) $o : Order(customer == $n, amount > 50, !discounted)",
            "then modify($o) { setDiscounted(true) } log.add(\"discount \" + $n + \" \" + $o.getNumber()); end",
            "rule 'same amount'",
            "when $a : Order($m : amount, $c : customer, $n : number) Order(customer == $c, amount == $m, number > $n)",
            "then insert(new Note($c, \"same\", $m)); end",
            "rule 'notes' salience -5",
            "when $c : Customer($n : number) Note(customer == $n, kind == 'large')",
            "  not Note(customer == $n, kind == 'same')",
            "then log.add(\"watch \" + $n); end");

    private KieBase base;   // built by the first iteration

    private Object fact(String name, Map<String, Object> values) {
        try {
            FactType type = base.getFactType("orders", name);
            Object fact = type.newInstance();
            type.setFromMap(fact, values);
            return fact;
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override protected long iteration() {
        if (base == null) base = new KieHelper().addContent(RULES, ResourceType.DRL).build();
        KieSession session = base.newKieSession();
        List<String> log = new ArrayList<>();
        session.setGlobal("log", log);
        Words words = new Words(3, 10);
        for (int i = 0; i < CUSTOMERS; i++) session.insert(fact("Customer", Map.of("number", i)));
        for (int i = 0; i < ORDERS; i++)
            session.insert(fact("Order",
                    Map.of("number", i, "customer", words.below(CUSTOMERS), "amount", 1 + words.below(100))));
        long digest = session.fireAllRules();
        digest = mixed(digest, session.getFactCount());
        session.dispose();
        Collections.sort(log);
        for (String each : log) digest = mixed(digest, each);
        return digest;
    }

    public static void main(String[] arguments) throws Exception {
        new DroolsOrders().run(arguments);
    }
}
