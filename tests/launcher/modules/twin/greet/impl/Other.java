package greet.impl;

public class Other {
}
