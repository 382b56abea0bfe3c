// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// URI, URL, URLEncoder: parsing, resolving, equality, texts that are refused.
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

public class Uris {
    public static void main(String[] args) throws Exception {
        for (String s : new String[] {"http://user@host:81/a/b/../c?q=1#f", "mailto:a@b", "file:///x y", "a/b",
                     "//host/p", "http://[::1]:8/", "urn:isbn:1", "", "http://h/%zz", "1x:y", "http://a b", "http:"}) {
            try {
                URI u = new URI(s);
                System.out.println(s + " -> " + u.getScheme() + "|" + u.getAuthority() + "|" + u.getHost() + "|"
                        + u.getPort() + "|" + u.getPath() + "|" + u.getQuery() + "|" + u.getFragment() + "|"
                        + u.isOpaque() + "|" + u.normalize());
            } catch (URISyntaxException e) {
                System.out.println(s + " -> " + e.getMessage());
            }
        }
        URI base = URI.create("http://h/a/b/c");
        for (String s : new String[] {"d", "../d", "/d", "?q", "#f", "http://o/", "../../../x", "."})
            System.out.print(base.resolve(s) + " ");
        System.out.println(base.relativize(URI.create("http://h/a/b/c/d")) + " "
                + new URI("http", "h", "/p q\u00e9", "x=&", null).toASCIIString());
        URL url = new URL("jar:file:/x.jar!/p/q.txt");
        System.out.println(url.getProtocol() + " " + url.getPath() + " " + url.getFile() + " "
                + new URL(new URL("http://h/a/b"), "../c?d").toExternalForm() + " "
                + new URL("http://h:80/").getDefaultPort() + " " + new URL("https://h/x#r").getRef());
        for (String s : new String[] {"nope://x", "x", "http:/\\", "http://h:port/"}) {
            try {
                System.out.println(new URL(s));
            } catch (MalformedURLException e) {
                System.out.println(e.getMessage());
            }
        }
        String q = URLEncoder.encode("a b&c=\u00e9/\ud83d\ude00*~", StandardCharsets.UTF_8);
        System.out.println(q + " " + URLDecoder.decode(q, StandardCharsets.UTF_8).length());
        try {
            URLDecoder.decode("%4", StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
