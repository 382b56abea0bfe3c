package greet.impl;

public class English implements greet.Greeter {
    public int hidden = 1;

    public String greet(String who) {
        if (who == null) throw new IllegalArgumentException("nobody");
        return "Hello " + who;
    }
}
