// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// HttpClient with a server in the same program: requests, close and shutdownNow, a request after close.
// since: 21
// timeout: 60
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Executors;

public class ClientClosed {
    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            byte[] answer = (exchange.getRequestMethod() + " " + exchange.getRequestURI()).getBytes();
            exchange.sendResponseHeaders(200, answer.length);
            try (var body = exchange.getResponseBody()) {
                body.write(answer);
            }
        });
        server.start();
        URI root = URI.create("http://localhost:" + server.getAddress().getPort());
        HttpClient kept;
        try (HttpClient client = kept = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(HttpRequest.newBuilder(root.resolve("/a?b=c")).build(),
                HttpResponse.BodyHandlers.ofString());
            System.out.println(response.statusCode() + " " + response.body());
            var later = client.sendAsync(HttpRequest.newBuilder(root.resolve("/post"))
                .POST(HttpRequest.BodyPublishers.ofString("x")).build(),
                                         HttpResponse.BodyHandlers.ofLines());
            System.out.println(later.get().body().toList());
            System.out.println(client.send(HttpRequest.newBuilder(root).DELETE().build(),
                HttpResponse.BodyHandlers.discarding()).statusCode());
            System.out.println(client.isTerminated());
        }
        System.out.println(kept.isTerminated() + " " + kept.awaitTermination(Duration.ofSeconds(1)));
        try {
            kept.send(HttpRequest.newBuilder(root).build(), HttpResponse.BodyHandlers.discarding());
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        HttpClient second = HttpClient.newHttpClient();
        second.shutdownNow();
        System.out.println(second.awaitTermination(Duration.ofSeconds(10)));
        server.stop(0);
    }
}
