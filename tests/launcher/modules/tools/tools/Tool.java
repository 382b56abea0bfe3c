package tools;

public class Tool implements greet.Greeter {
    public String greet(String who) {
        return "Tool for " + who + " in " + Tool.class.getModule().getName() + " "
                + Tool.class.getModule().getDescriptor().isAutomatic();
    }
}
