// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lucene 10: three directories, one of mapped files, which calls C (madvise).
// maven: org.apache.lucene:lucene-core:10.2.2 org.apache.lucene:lucene-queryparser:10.2.2
// maven: org.apache.lucene:lucene-analysis-common:10.2.2
// normal: ^[A-Z][a-z]{2} [0-9]+, 20[0-9]{2} [0-9:]+ [AP]M
import java.nio.file.*;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.*;
import org.apache.lucene.store.*;

public class Searching {
    static void tour(Directory directory) throws Exception {
        System.out.println(directory.getClass().getSimpleName());
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
            String[] words = {"keyhole", "lock", "monitor", "heap", "region", "thread", "header", "class"};
            for (int i = 0; i < 2000; i++) {
                Document document = new Document();
                document.add(new StringField("id", "d" + i, Field.Store.YES));
                document.add(new TextField("text",
                        words[i % 8] + " " + words[(i / 8) % 8] + " " + words[(i / 64) % 8], Field.Store.YES));
                document.add(new IntPoint("number", i));
                document.add(new NumericDocValuesField("order", -i));
                document.add(new KnnFloatVectorField("vector", new float[] {i % 7, i % 11, i % 13}));
                writer.addDocument(document);
                if (i % 500 == 499) writer.commit();
            }
            writer.deleteDocuments(new Term("id", "d3"));
            writer.forceMerge(1);
        }
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            System.out.println(reader.numDocs() + " documents");
            for (String text :
                    new String[] {"keyhole AND lock", "monitor -heap", "hea*", "\"region thread\"", "lokc~"}) {
                Query query = new QueryParser("text", new StandardAnalyzer()).parse(text);
                TopDocs found = searcher.search(query, 3);
                System.out.println(query + " " + found.totalHits.value());
                for (ScoreDoc each : found.scoreDocs)
                    System.out.println(
                            "  " + searcher.storedFields().document(each.doc).get("id") + " " + each.score);
            }
            System.out.println(searcher.count(IntPoint.newRangeQuery("number", 100, 199)));
            TopDocs sorted =
                    searcher.search(new MatchAllDocsQuery(), 2, new Sort(new SortField("order", SortField.Type.INT)));
            for (ScoreDoc each : sorted.scoreDocs)
                System.out.println(searcher.storedFields().document(each.doc).get("id"));
            TopDocs near = searcher.search(new KnnFloatVectorQuery("vector", new float[] {1, 2, 3}, 3), 3);
            for (ScoreDoc each : near.scoreDocs) System.out.println("near " + each.score);
        }
    }
    public static void main(String[] arguments) throws Exception {
        tour(new ByteBuffersDirectory());
        Path folder = Files.createTempDirectory("lucene");
        try (Directory directory = new NIOFSDirectory(folder.resolve("nio"))) {
            tour(directory);
        }
        try (Directory directory = new MMapDirectory(folder.resolve("mapped"))) {
            tour(directory);
        }
    }
}
