// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Accessors of MethodHandleAccessorFactory for serialization, release by release: in 21 none.
package jdk.internal.reflect;

class SerializationAccessors {}
