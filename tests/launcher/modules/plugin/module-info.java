module plugin {
    requires greet;

    exports plugin;
    provides greet.Greeter with plugin.French;
}
