// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Streams of resources, in a directory of the class path and in a module of the JDK: their kinds, and their behaviour
// after they are closed.
import java.io.IOException;
import java.io.InputStream;

public class ResourceStreams {
    static void probe(String what, InputStream stream) throws IOException {
        System.out.println(what + " " + stream.getClass().getName() + " " + stream.markSupported());
        stream.mark(10);
        int first = stream.read();
        try {
            stream.reset();
            System.out.println(first == stream.read());
        } catch (IOException failure) {
            System.out.println(failure);
        }
        System.out.println(stream.available() > 0);
        stream.close();
        try {
            System.out.println(stream.read());
        } catch (IOException failure) {
            System.out.println(failure);
        }
        try {
            System.out.println(stream.available() > 0);
        } catch (IOException failure) {
            System.out.println(failure);
        }
    }

    public static void main(String[] arguments) throws Exception {
        String name = "ResourceStreams.class";
        ClassLoader loader = ResourceStreams.class.getClassLoader();
        probe("class", ResourceStreams.class.getResourceAsStream(name));
        probe("loader", loader.getResourceAsStream(name));
        probe("module", ResourceStreams.class.getModule().getResourceAsStream(name));
        probe("url", loader.getResource(name).openStream());
        probe("java.base", Object.class.getResourceAsStream("Object.class"));
        probe("system", ClassLoader.getSystemResourceAsStream(name));
        System.out.println(loader.getResourceAsStream("no such"));
        System.out.println(loader.getResourceAsStream("/" + name));
        System.out.println(loader.getResource(name).openConnection().getClass().getName());
        System.out.println(Object.class.getResource("Object.class"));
    }
}
