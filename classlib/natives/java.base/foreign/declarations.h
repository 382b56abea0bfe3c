// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ functions behind the natives of jdk.internal.foreign; names and parameters as in
// classlib/natives/declarations.h.
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// jdk.internal.foreign.abi.fallback.LibFallback: calls
void LibFallback_doDowncall(JavaThread*, i64, i64, i64, i64, Handle, i64, i32, Handle, i32) MAY_SAFEPOINT;
void LibFallback_doDowncall_21(JavaThread*, i64, i64, i64, i64, i64, i32) MAY_SAFEPOINT;
i32 LibFallback_createClosure(JavaThread*, i64, Handle, Handle) TOUCHES_OBJECTS;
void LibFallback_freeClosure(JavaThread*, i64, i64);

// jdk.internal.foreign.abi.fallback.LibFallback: signatures
bool LibFallback_init(JavaThread*);
i64 LibFallback_sizeofCif(JavaThread*);
i32 LibFallback_ffi_prep_cif(JavaThread*, i64, i32, i32, i64, i64);
i32 LibFallback_ffi_prep_cif_var(JavaThread*, i64, i32, i32, i32, i64, i64);
i32 LibFallback_ffi_get_struct_offsets(JavaThread*, i32, i64, i64);
i32 LibFallback_ffi_default_abi(JavaThread*);
i16 LibFallback_ffi_type_struct(JavaThread*);
i64 LibFallback_ffi_type_void(JavaThread*);
i64 LibFallback_ffi_type_uint8(JavaThread*);
i64 LibFallback_ffi_type_sint8(JavaThread*);
i64 LibFallback_ffi_type_uint16(JavaThread*);
i64 LibFallback_ffi_type_sint16(JavaThread*);
i64 LibFallback_ffi_type_uint32(JavaThread*);
i64 LibFallback_ffi_type_sint32(JavaThread*);
i64 LibFallback_ffi_type_uint64(JavaThread*);
i64 LibFallback_ffi_type_sint64(JavaThread*);
i64 LibFallback_ffi_type_float(JavaThread*);
i64 LibFallback_ffi_type_double(JavaThread*);
i64 LibFallback_ffi_type_pointer(JavaThread*);
i32 LibFallback_ffi_sizeof_short(JavaThread*);
i32 LibFallback_ffi_sizeof_int(JavaThread*);
i32 LibFallback_ffi_sizeof_long(JavaThread*);
i32 LibFallback_ffi_sizeof_wchar(JavaThread*);
i32 LibFallback_alignof_long_long(JavaThread*);
i32 LibFallback_alignof_double(JavaThread*);

}  // namespace keyhole::natives
