// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
package r;

public class Sub extends q.secret.Hidden {}
