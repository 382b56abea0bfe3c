// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// JUnit 6: the program of JUnit 5.
// maven: org.junit.platform:junit-platform-console:6.0.0 org.junit.jupiter:junit-jupiter:6.0.0
// main: org.junit.platform.console.ConsoleLauncher
// args: execute --disable-banner --disable-ansi-colors --details=tree --select-class=Tests5
// source: Tests5.java
// normal: [0-9]+ ms
