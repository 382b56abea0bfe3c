package plugin;

public class French implements greet.Greeter {
    public String greet(String who) {
        return "Bonjour " + who;
    }
}
