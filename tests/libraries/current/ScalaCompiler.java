// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Scala's compiler: the same class files.
// maven: org.scala-lang:scala3-compiler_3:3.7.2
// main: dotty.tools.dotc.Main
// args: -classpath {path} -d . -color:never {folder}/tour.scala
// then: tour
