// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ServiceLoader with providers named in META-INF/services: order, laziness, failures.
import java.nio.file.Files;
import java.nio.file.Path;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Iterator;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

public class ServiceLoading {
    public interface Service { String name(); }
    public static class First implements Service {
        public First() {
            System.out.println("First made");
        }
        public String name() {
            return "first";
        }
    }
    public static class Second implements Service { public String name() { return "second"; } }
    public static class NotOne { }
    public static class Fails implements Service {
        public Fails() {
            throw new IllegalStateException("no");
        }
        public String name() {
            return "";
        }
    }
    static class Hidden implements Service { public String name() { return "hidden"; } }

    public static void main(String[] args) throws Exception {
        Path dir = Files.createTempDirectory(Path.of("."), "services");
        Path file = dir.resolve("META-INF/services/ServiceLoading$Service");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "# comment\nServiceLoading$First # more\n\nServiceLoading$Second\nServiceLoading$First\nNoSuchProvider\nServiceLoading$NotOne\nServiceLoading$Fails\nServiceLoading$Hidden\n");
        try (URLClassLoader loader = new URLClassLoader(
                     "services", new URL[] {dir.toUri().toURL()}, ServiceLoading.class.getClassLoader())) {
            ServiceLoader<Service> services = ServiceLoader.load(Service.class, loader);
            System.out.println(services);
            Iterator<Service> it = services.iterator();
            while (true) {
                try {
                    if (!it.hasNext()) break;
                    System.out.println(it.next().name());
                } catch (ServiceConfigurationError e) {
                    System.out.println(e.getMessage() + " / " + e.getCause());
                }
            }
            System.out.println(ServiceLoader.load(Service.class, loader)
                            .stream()
                            .limit(2)
                            .map(p -> p.type().getSimpleName())
                            .toList());
            System.out.println(
                    services.findFirst().map(Service::name) + " " + ServiceLoader.load(Service.class).findFirst());
        }
    }
}
