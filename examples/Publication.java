// A thread makes an object and stores its reference in a plain field, where another thread finds it. Nothing orders the
// two. So the reader may see the reference, and yet not what the constructor has written.
//
//   keyhole --explore examples/Publication.java                       no schedule fails: reads see the last write
//   keyhole --explore --memory=tso examples/Publication.java          nor with store buffers, as x86 has them
//   keyhole --explore --memory=jmm examples/Publication.java          fails: Java permits the reader to see port 0
//   keyhole --explore --memory=jmm examples/Publication.java final    no schedule fails: final fields are seen
public class Publication {
    interface Settings {
        int port();
    }

    static class Plain implements Settings {
        private int port;

        Plain(int port) {
            this.port = port;
        }

        public int port() {
            return port;
        }
    }

    static class Final implements Settings {
        private final int port;

        Final(int port) {
            this.port = port;
        }

        public int port() {
            return port;
        }
    }

    static Settings settings;

    public static void main(String[] args) {
        boolean isFinal = args.length != 0;
        new Thread(() -> settings = isFinal ? new Final(8080) : new Plain(8080), "writer").start();
        Settings seen = settings;
        if (seen == null) return;
        int port = seen.port();
        if (port != 8080) throw new AssertionError("port " + port);
    }
}
