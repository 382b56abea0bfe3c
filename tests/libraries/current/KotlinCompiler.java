// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Kotlin's compiler: the same class files. Its coloured messages would need a JNI library.
// maven: org.jetbrains.kotlin:kotlin-compiler-embeddable:2.2.20 org.jetbrains.kotlin:kotlin-stdlib:2.2.20
// jvm: -Dkotlin.colors.enabled=false
// main: org.jetbrains.kotlin.cli.jvm.K2JVMCompiler
// args: -no-stdlib -no-reflect -jvm-target 24 -cp {path} -d . {folder}/tour.kt
// then: TourKt
