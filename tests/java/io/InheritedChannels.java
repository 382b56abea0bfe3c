// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// System.inheritedChannel is null, because standard input is no socket. Also System.console, and the domain that
// look-ups append to unqualified host names.
// javac: --add-exports java.base/sun.net.dns=ALL-UNNAMED
// jvm: --add-opens java.base/sun.net.dns=ALL-UNNAMED
// stdin: text
import java.lang.reflect.Method;
import java.nio.channels.Channel;
import java.nio.channels.spi.SelectorProvider;

public class InheritedChannels {
    public static void main(String[] args) throws Exception {
        Channel first = System.inheritedChannel();
        System.out.println(
                first + " " + System.inheritedChannel() + " " + SelectorProvider.provider().inheritedChannel());
        System.out.println((char) System.in.read());   // inheritedChannel() has not closed standard input
        System.out.println(System.console());

        Class<?> resolver = Class.forName("sun.net.dns.ResolverConfigurationImpl");
        Method fallback = resolver.getDeclaredMethod("fallbackDomain0");
        fallback.setAccessible(true);
        System.out.println(fallback.invoke(null));
        System.out.println(sun.net.dns.ResolverConfiguration.open().searchlist());
    }
}
