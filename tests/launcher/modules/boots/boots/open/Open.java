package boots.open;

public class Open {
    private static String hidden = "seen";
}
