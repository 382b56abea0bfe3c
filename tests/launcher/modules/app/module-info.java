module app {
    requires greet;
    uses greet.Greeter;
}
