// A module that needs a module of the JDK and an automatic module, and opens one package.
module boots {
    requires java.logging;
    requires tools;
    requires greet;
    uses greet.Greeter;

    opens boots.open;
}
