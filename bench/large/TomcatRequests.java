// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tomcat serves a servlet to two clients, over HTTP on this machine.
// maven: org.apache.tomcat.embed:tomcat-embed-core:10.1.34
// iterations: 16
// locks: yes
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

public class TomcatRequests extends Workload {
    private static final int CLIENTS = 2, REQUESTS = 3000;
    private final Path folder = Files.createTempDirectory("tomcat");
    private final Tomcat tomcat = new Tomcat();

    private TomcatRequests() throws Exception {
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
        Context context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "pages", new HttpServlet() {
            @Override protected void doGet(HttpServletRequest request, HttpServletResponse response)
                    throws IOException {
                String page = HttpClients.page(Integer.parseInt(request.getRequestURI().substring(1)));
                response.setContentType("text/plain");
                response.setContentLength(page.length());
                response.getWriter().write(page);
            }
        });
        context.addServletMappingDecoded("/*", "pages");
        tomcat.start();
    }

    @Override protected long iteration() throws Exception {
        return HttpClients.ask(tomcat.getConnector().getLocalPort(), CLIENTS, REQUESTS);
    }

    @Override protected void close() throws Exception {
        tomcat.stop();
        tomcat.destroy();
    }

    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("org.apache").setLevel(Level.WARNING);
        new TomcatRequests().run(arguments);
        System.exit(0);
    }
}
