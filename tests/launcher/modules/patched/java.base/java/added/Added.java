// A package that java.base does not have.
package java.added;

public class Added {
    @Override
    public String toString() {
        return "added to " + Added.class.getModule();
    }
}
