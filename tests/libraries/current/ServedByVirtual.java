// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Spring Boot 3 whose requests run on virtual threads.
// maven: org.springframework.boot:spring-boot-starter-web:3.5.5
// javac: -parameters
// main: served.Served
// args: true
// source: Served.java
// normal: ^20[0-9T:.-]+Z +([A-Z]+) [0-9]+ --- \[[^\]]*\]
