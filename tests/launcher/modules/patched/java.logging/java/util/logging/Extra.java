package java.util.logging;

public class Extra {
    @Override
    public String toString() {
        return "extra in " + Extra.class.getModule();
    }
}
