// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Jython compiles Python modules to classes, and runs them: classes, closures, generators, dictionaries, text.
// maven: org.python:jython-slim:2.7.4
// iterations: 16
import org.python.core.PyObject;
import org.python.util.PythonInterpreter;

public class JythonPrograms extends Workload {
    private static final String PROGRAM = String.join("\n",
            "class Shape(object):",
            "    def __init__(self, name, sides): self.name, self.sides = name, sides",
            "    def area(self): return reduce(lambda a, b: a * b, self.sides, 1)",
            "class Prism(Shape):",
            "    def area(self):",
            "        a, b, c = self.sides",
            "        return 2 * (a * b + b * c + a * c)",
            "def queens(n, row=0, columns=(), up=(), down=()):",
            "    if row == n:",
            "        yield columns",
            "        return",
            "    for c in xrange(n):",
            "        if c not in columns and row + c not in up and row - c not in down:",
            "            for found in queens(n, row + 1, columns + (c,), up + (row + c,), down + (row - c,)): yield found",
            "def words(seed, count):",
            "    for i in xrange(count):",
            "        seed = (seed * 1103515245 + 12345) & 0x7fffffff",
            "        yield 'w%d' % ((seed >> 8) % 499)",
            "def table(seed):",
            "    counts = {}",
            "    for word in words(seed, 6000): counts[word] = counts.get(word, 0) + 1",
            "    return sorted(((n, w) for w, n in counts.items()), reverse=True)[:20]",
            "def sieve(n):",
            "    flags = [True] * n",
            "    for i in xrange(2, n):",
            "        if flags[i]:",
            "            for j in xrange(i * i, n, i): flags[j] = False",
            "    return sum(i for i in xrange(2, n) if flags[i])",
            "def work(seed):",
            "    digest = 0",
            "    for found in queens(7): digest = (digest * 31 + hash(found[0]) + found[6]) & 0xffffffff",
            "    for n, w in table(seed): digest = (digest * 31 + n + len(w)) & 0xffffffff",
            "    shapes = [(Prism if i % 3 else Shape)('s%d' % i, (i % 5 + 1, i % 7 + 1, i % 3 + 1)) for i in xrange(9000)]",
            "    digest += sum(s.area() for s in shapes) + sieve(20000)",
            "    try:",
            "        {}['missing']",
            "    except KeyError, e:",
            "        digest += len(str(e))",
            "    return digest",
            "");
    private static final int MODULES = 3;   // each iteration compiles them again

    @Override protected long iteration() {
        long digest = 0;
        for (int i = 0; i < MODULES; i++) {
            try (PythonInterpreter python = new PythonInterpreter()) {
                python.exec(PROGRAM);
                PyObject work = python.get("work");
                for (int seed = 0; seed < 2; seed++)
                    digest = mixed(digest, ((Number) work.__call__(new org.python.core.PyInteger(seed + i))
                            .__tojava__(Long.class)).longValue());
            }
        }
        return digest;
    }

    public static void main(String[] arguments) throws Exception {
        java.util.Properties settings = new java.util.Properties();
        settings.setProperty("python.import.site", "false");
        settings.setProperty("python.cachedir.skip", "true");
        PythonInterpreter.initialize(System.getProperties(), settings, new String[0]);
        new JythonPrograms().run(arguments);
    }
}
