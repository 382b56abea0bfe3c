// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The main class cannot be initialised.
public class InitFails { static int x = 1 / Integer.parseInt("0"); public static void main(String[] args) { } }
