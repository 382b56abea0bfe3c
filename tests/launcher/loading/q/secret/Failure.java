// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
package q.secret;

public class Failure extends RuntimeException {}
