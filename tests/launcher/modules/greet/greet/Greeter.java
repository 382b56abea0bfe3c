package greet;

public interface Greeter {
    String greet(String who);

    static String polite() {
        return "How do you do";
    }
}
