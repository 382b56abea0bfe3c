// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Spring Boot 3: Tomcat, controllers, JSON, settings.
// maven: org.springframework.boot:spring-boot-starter-web:3.5.5
// javac: -parameters
// main: served.Served
// normal: ^20[0-9T:.-]+Z +([A-Z]+) [0-9]+ --- \[[^\]]*\]
package served;

import java.net.URI;
import java.net.http.*;
import java.util.*;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.*;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.*;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.*;

public class Served {
    record Greeting(long id, String text) {}
    record Sum(List<Integer> numbers) {}
    @ConfigurationProperties("greeting")
    record Settings(String prefix, int times) {}
    @Service
    static class Counter {
        private long next;
        synchronized long take() { return ++next; }
    }
    @SpringBootApplication
    @EnableConfigurationProperties(Settings.class)
    static class Application {
        @Bean
        Runnable startUp(Settings settings) {
            return () -> System.out.println("bean " + settings);
        }
    }
    @RestController
    static class Greetings {
        private final Counter counter;
        private final Settings settings;
        Greetings(Counter counter, Settings settings) {
            this.counter = counter;
            this.settings = settings;
        }
        @GetMapping("/greet/{name}")
        Greeting greet(@PathVariable("name") String name,
                @RequestParam(name = "loud", defaultValue = "false") boolean loud) {
            String text = (settings.prefix() + " " + name).repeat(settings.times());
            return new Greeting(counter.take(), loud ? text.toUpperCase() : text);
        }
        @PostMapping("/sum")
        Map<String, Integer> sum(@RequestBody Sum sum) {
            return Map.of("sum", sum.numbers().stream().mapToInt(Integer::intValue).sum());
        }
        @GetMapping("/fails")
        String fails() {
            throw new IllegalStateException("refused");
        }
        @ExceptionHandler(IllegalStateException.class)
        @ResponseStatus(org.springframework.http.HttpStatus.CONFLICT)
        String handled(IllegalStateException e) {
            return "handled " + e.getMessage();
        }
    }
    static void show(HttpClient client, HttpRequest request) throws Exception {
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(response.statusCode() + " " + response.headers().firstValue("content-type").orElse("-")
                + " " + response.body().replaceAll("\"timestamp\":\"[^\"]*\"", "\"timestamp\":-"));
    }
    public static void main(String[] arguments) throws Exception {
        SpringApplication application = new SpringApplication(Application.class, Greetings.class, Counter.class);
        application.setDefaultProperties(Map.of("server.port", "0", "greeting.prefix", "hello", "greeting.times", "2",
                "spring.main.banner-mode", "off", "logging.level.root", "warn", "spring.threads.virtual.enabled",
                arguments.length > 0 ? arguments[0] : "false"));
        try (ConfigurableApplicationContext context = application.run()) {
            context.getBean(Runnable.class).run();
            int port = ((ServletWebServerApplicationContext) context).getWebServer().getPort();
            HttpClient client = HttpClient.newHttpClient();
            String at = "http://localhost:" + port;
            for (String path : new String[] {
                         "/greet/you", "/greet/you?loud=true", "/greet/you?loud=maybe", "/nowhere", "/fails"})
                show(client, HttpRequest.newBuilder(URI.create(at + path)).build());
            show(client,
                    HttpRequest.newBuilder(URI.create(at + "/sum"))
                            .header("content-type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString("{\"numbers\": [1, 2, 39]}"))
                            .build());
            show(client,
                    HttpRequest.newBuilder(URI.create(at + "/sum"))
                            .header("content-type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString("{"))
                            .build());
            System.out.println(String.join(
                    " ", new TreeSet<>(Arrays.asList(context.getBeanDefinitionNames())).stream().limit(40).toList()));
        }
        System.out.println("closed");
    }
}
