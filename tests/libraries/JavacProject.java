// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// javac compiles a project: the class files must be the same bytes.
// main: com.sun.tools.javac.Main
// module: jdk.compiler
// args: -nowarn -XDignore.symbol.file -d . {programs}
public class JavacProject {}
