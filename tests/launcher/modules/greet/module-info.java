module greet {
    exports greet;
    exports greet.secret to app;
    provides greet.Greeter with greet.impl.English;
}
