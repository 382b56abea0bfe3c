module intruder {
    requires greet;
    requires static plugin;
}
