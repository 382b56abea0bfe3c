// A package that java.base has not.
package java.added;

public class Added {
    @Override
    public String toString() {
        return "added to " + Added.class.getModule();
    }
}
