// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A main method that returns a value.
public class ReturningMain { public static int main(String[] args) { return 1; } }
