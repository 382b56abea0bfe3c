// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Class-path resources that are directories or have unusual names: their URLs, and the bytes read from them.
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Arrays;
import java.util.Collections;

public class DirectoryResources {
    static final String DIRECTORY =
            DirectoryResources.class.getProtectionDomain().getCodeSource().getLocation().toString();

    static String read(InputStream in) throws IOException {
        if (in == null) return "nothing";
        try (in) {
            byte[] bytes = in.readAllBytes();
            if (bytes.length > 3 && bytes[0] == (byte) 0xCA) return "a class";
            String[] names = new String(bytes).split("\n");
            Arrays.sort(names);
            return Arrays.toString(names);
        }
    }

    static String shown(URL url) {
        return url == null ? "none"
                           : url.toString()
                                     .replace(DIRECTORY, "DIRECTORY/")
                                     .replace(DIRECTORY.substring(0, DIRECTORY.length() - 1), "DIRECTORY");
    }

    public static void main(String[] args) throws IOException {
        ClassLoader loader = DirectoryResources.class.getClassLoader();
        String self = "DirectoryResources.class";
        for (String name :
                new String[] {"", ".", "./", self, "./" + self, ".//" + self, "/" + self, "/", "..", "../", "../../io",
                        "missing", "missing/" + self, self + "/", "java/lang", "java/lang/Object.class", "a b", "\0"}) {
            System.out.println("'" + name.replace('\0', '0') + "': " + shown(loader.getResource(name)) + ", "
                    + Collections.list(loader.getResources(name)).size() + ", "
                    + read(loader.getResourceAsStream(name)));
        }
        for (String name : new String[] {"", "/", ".", self, "/" + self, "/missing"}) {
            System.out.println("'" + name + "' of the class: " + shown(DirectoryResources.class.getResource(name)));
        }
    }
}
