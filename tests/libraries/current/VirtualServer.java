// Helidon SE, a server whose threads are all virtual, with synchronized handlers and 64 clients.
//
// maven: io.helidon.webserver:helidon-webserver:4.5.0
// normal: ^().*(?: [AP]M io\.helidon|INFO:|WARNING:|There is no Helidon logging).*\n
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

public class VirtualServer {
  static final Map<String, Integer> counts = new HashMap<>();
  static final AtomicInteger virtualHandlers = new AtomicInteger();

  static synchronized int count(String name) throws InterruptedException {
    Thread.sleep(0, 200_000);   // parks with the lock held
    return counts.merge(name, 1, Integer::sum);
  }

  static void counted(ServerRequest request, ServerResponse response) {
    if (Thread.currentThread().isVirtual()) virtualHandlers.incrementAndGet();
    try {
      response.send(Integer.toString(count(request.path().pathParameters().get("name"))));
    } catch (InterruptedException e) {
      response.status(500).send();
    }
  }

  static void summed(ServerRequest request, ServerResponse response) {
    long sum = 0;
    for (String number : request.content().as(String.class).split(",")) sum += Long.parseLong(number);
    response.send("sum " + sum);
  }

  public static void main(String[] arguments) throws Exception {
    WebServer server = WebServer.builder()
        .port(0)
        .host("127.0.0.1")
        .routing(routing -> routing
            .get("/count/{name}", VirtualServer::counted)
            .post("/sum", VirtualServer::summed)
            .get("/fails", (request, response) -> { throw new IllegalStateException("on purpose"); }))
        .build()
        .start();
    String root = "http://127.0.0.1:" + server.port();
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    List<Future<Integer>> clients = new ArrayList<>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 64; i++) {
        int number = i;
        clients.add(executor.submit(() -> {
          int good = 0;
          for (int round = 0; round < 20; round++) {
            HttpRequest get = HttpRequest.newBuilder(URI.create(root + "/count/" + "abcd".charAt(number % 4))).build();
            if (client.send(get, HttpResponse.BodyHandlers.ofString()).statusCode() == 200) good++;
            HttpRequest post = HttpRequest.newBuilder(URI.create(root + "/sum"))
                .POST(HttpRequest.BodyPublishers.ofString("1,2," + number)).build();
            String sum = client.send(post, HttpResponse.BodyHandlers.ofString()).body();
            if (sum.equals("sum " + (3 + number))) good++;
          }
          return good;
        }));
      }
    }
    int good = 0;
    for (Future<Integer> each : clients) good += each.get();
    System.out.println("answers " + good + ", on virtual threads " + virtualHandlers);
    System.out.println(new TreeMap<>(counts));
    HttpResponse<String> failed = client.send(HttpRequest.newBuilder(URI.create(root + "/fails")).build(),
                                              HttpResponse.BodyHandlers.ofString());
    System.out.println(failed.statusCode());
    HttpResponse<String> missing = client.send(HttpRequest.newBuilder(URI.create(root + "/nowhere")).build(),
                                               HttpResponse.BodyHandlers.ofString());
    System.out.println(missing.statusCode());
    server.stop();
    System.out.println("stopped " + !server.isRunning());
  }
}
