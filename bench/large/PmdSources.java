// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// PMD reads the sources of this folder, and looks for violations of its rules: a parser, symbol tables, XPath, metrics.
// maven: net.sourceforge.pmd:pmd-java:7.18.0
// jvm: -Dbench={bench}
// iterations: 10
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.sourceforge.pmd.PMDConfiguration;
import net.sourceforge.pmd.PmdAnalysis;
import net.sourceforge.pmd.lang.LanguageRegistry;
import net.sourceforge.pmd.reporting.Report;

public class PmdSources extends Workload {
    private static final String[] RULES = {"bestpractices", "design", "errorprone", "multithreading"};

    @Override protected long iteration() {
        PMDConfiguration settings = new PMDConfiguration();
        settings.setIgnoreIncrementalAnalysis(true);
        settings.setThreads(2);
        settings.setDefaultLanguageVersion(
                LanguageRegistry.PMD.getLanguageById("java").getVersion("17"));
        settings.prependAuxClasspath(System.getProperty("java.class.path").split(":")[0]);
        for (String rules : RULES) settings.addRuleSet("category/java/" + rules + ".xml");
        settings.addInputPath(Path.of(System.getProperty("bench"), "large"));
        List<String> found = new ArrayList<>();
        try (PmdAnalysis analysis = PmdAnalysis.create(settings)) {
            Report report = analysis.performAnalysisAndCollectReport();
            report.getViolations().forEach(each -> found.add(each.getFileId().getFileName() + " " + each.getBeginLine()
                    + " " + each.getRule().getName() + " " + each.getDescription()));
            if (!report.getProcessingErrors().isEmpty())
                throw new IllegalStateException(report.getProcessingErrors().get(0).getDetail());
        }
        Collections.sort(found);
        if (found.isEmpty()) throw new IllegalStateException("nothing found");
        long digest = 0;
        for (String each : found) digest = mixed(digest, each);
        return digest;
    }

    public static void main(String[] arguments) throws Exception {
        new PmdSources().run(arguments);
    }
}
