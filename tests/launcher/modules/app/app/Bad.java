// Accesses a class of a package that is not exported, and then ends by an exception.
package app;

public class Bad {
    public static void main(String[] arguments) throws Exception {
        try {
            Class.forName("greet.impl.English").getDeclaredConstructor().newInstance();
        } catch (Exception refused) {
            System.out.println(refused.getMessage().replaceAll("@[0-9a-f]+", "@"));
        }
        throw new IllegalStateException("end");
    }
}
