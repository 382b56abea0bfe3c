// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What MethodHandleAccessorFactory makes for serialization, release by release: in 21 nothing.
package jdk.internal.reflect;

class SerializationAccessors {}
