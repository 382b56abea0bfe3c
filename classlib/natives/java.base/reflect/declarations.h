// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ functions behind the natives of java.lang.reflect and jdk.internal.reflect; names and parameters as in
// classlib/natives/declarations.h.
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// java.lang.reflect.Array
template <typename T> T Array_get_primitive(JavaThread*, Handle, i32) MAY_SAFEPOINT;
template <typename T> void Array_set_primitive(JavaThread*, Handle, i32, T) MAY_SAFEPOINT;
Object* Array_get(JavaThread*, Handle, i32) MAY_SAFEPOINT;
i32 Array_getLength(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Array_multiNewArray(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
Object* Array_newArray(JavaThread*, Handle, i32) MAY_SAFEPOINT;
void Array_set(JavaThread*, Handle, i32, Handle) MAY_SAFEPOINT;

// jdk.internal.reflect.ConstantPool
Object* ConstantPool_getClassAt0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
Object* ConstantPool_getClassAtIfLoaded0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
i32 ConstantPool_getClassRefIndexAt0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
f64 ConstantPool_getDoubleAt0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
Object* ConstantPool_getFieldAt0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
Object* ConstantPool_getFieldAtIfLoaded0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
f32 ConstantPool_getFloatAt0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
i32 ConstantPool_getIntAt0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
i64 ConstantPool_getLongAt0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
Object* ConstantPool_getMemberRefInfoAt0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
Object* ConstantPool_getMethodAt0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
Object* ConstantPool_getMethodAtIfLoaded0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
i32 ConstantPool_getNameAndTypeRefIndexAt0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
Object* ConstantPool_getNameAndTypeRefInfoAt0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
i32 ConstantPool_getSize0(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;
Object* ConstantPool_getStringAt0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
i8 ConstantPool_getTagAt0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
Object* ConstantPool_getUTF8At0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;

// jdk.internal.reflect.NativeConstructorAccessorImpl
Object* NativeConstructorAccessorImpl_newInstance0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;

// jdk.internal.reflect.NativeMethodAccessorImpl
Object* NativeMethodAccessorImpl_invoke0(JavaThread*, Handle, Handle, Handle) MAY_SAFEPOINT;

// jdk.internal.reflect: the native accessors of later libraries
Object* DirectConstructorHandleAccessor_newInstance0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
Object* DirectMethodHandleAccessor_invoke0(JavaThread*, Handle, Handle, Handle) MAY_SAFEPOINT;

// jdk.internal.reflect.DirectMethodHandleAccessor, NativeAccessors
Object* DirectMethodHandleAccessor_invokeImplFor(JavaThread*, Handle, Handle, Handle, Handle) MAY_SAFEPOINT;
Object* NativeAccessors_invoke0(JavaThread*, Handle, Handle, Handle) MAY_SAFEPOINT;
Object* NativeAccessors_create(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i64 NativeAccessors_addressOf(JavaThread*, Handle) MAY_SAFEPOINT;
Object* NativeAccessors_codeFor(JavaThread*, i64, Handle) MAY_SAFEPOINT;
void NativeAccessors_takeOver(JavaThread*, Handle) MAY_SAFEPOINT;

}  // namespace keyhole::natives
