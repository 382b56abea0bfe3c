// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// An index of generated documents is built, then two threads search it: terms, phrases, prefixes, misspelt words.
// maven: org.apache.lucene:lucene-core:9.12.1 org.apache.lucene:lucene-queryparser:9.12.1
// maven: org.apache.lucene:lucene-analysis-common:9.12.1
// iterations: 16
// locks: yes
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

public class LuceneSearch extends Workload {
    private static final int DOCUMENTS = 2500, QUERIES = 900, THREADS = 2;
    private final String[] texts = new String[DOCUMENTS], queries = new String[QUERIES];

    private LuceneSearch() {
        Words words = new Words(17, 4000);
        for (int i = 0; i < DOCUMENTS; i++) texts[i] = words.text(40 + words.below(80));
        for (int i = 0; i < QUERIES; i++) {
            String one = words.next(), other = words.next();
            queries[i] = switch (i % 6) {
                case 0 -> one + " " + other;
                case 1 -> "+" + one + " +" + other;
                case 2 -> "\"" + one + " " + other + "\"~4";
                case 3 -> one.substring(0, 2) + "*";
                case 4 -> one + "~1";
                default -> "(" + one + " " + words.next() + ") -" + other;
            };
        }
    }

    private void index(Directory directory) throws Exception {
        IndexWriterConfig settings = new IndexWriterConfig(new EnglishAnalyzer())
                .setMergeScheduler(new SerialMergeScheduler()).setMergePolicy(new LogDocMergePolicy())
                .setMaxBufferedDocs(500).setRAMBufferSizeMB(IndexWriterConfig.DISABLE_AUTO_FLUSH);
        try (IndexWriter writer = new IndexWriter(directory, settings)) {
            for (int i = 0; i < DOCUMENTS; i++) {
                Document document = new Document();
                document.add(new StoredField("id", i));
                document.add(new IntPoint("number", i));
                document.add(new NumericDocValuesField("order", -i));
                document.add(new TextField("text", texts[i], Field.Store.NO));
                writer.addDocument(document);
            }
        }
    }

    private long answer(IndexSearcher searcher, QueryParser parser, String text) throws Exception {
        TopDocs found = searcher.search(parser.parse(text), 10);
        long digest = mixed(0, found.totalHits.value);
        for (ScoreDoc each : found.scoreDocs) {
            digest = mixed(digest, searcher.storedFields().document(each.doc).getField("id").numericValue().intValue());
            digest = mixed(digest, Float.floatToIntBits(each.score));
        }
        return digest;
    }

    @Override protected long iteration() throws Exception {
        try (Directory directory = new ByteBuffersDirectory()) {
            index(directory);
            long[] sums = new long[THREADS];
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                // no cache, because its content would depend on the order of the threads
                searcher.setQueryCache(null);
                inThreads(THREADS, number -> {
                    QueryParser parser = new QueryParser("text", new EnglishAnalyzer());
                    for (int i = number; i < QUERIES; i += THREADS)
                        sums[number] += answer(searcher, parser, queries[i]);
                });
            }
            return sums[0] + sums[1];
        }
    }

    public static void main(String[] arguments) throws Exception {
        new LuceneSearch().run(arguments);
    }
}
