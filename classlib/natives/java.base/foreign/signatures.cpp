// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jdk.internal.foreign.abi.fallback.LibFallback: describes C functions to libffi. Java passes addresses of memory that
// it has allocated; addresses of types are those of libffi's own objects.
#include <ffi.h>

#include "classlib/natives/java.base/foreign/declarations.h"

namespace keyhole::natives {

bool LibFallback_init(JavaThread*) { return true; }
i64 LibFallback_sizeofCif(JavaThread*) { return sizeof(ffi_cif); }

i32 LibFallback_ffi_prep_cif(JavaThread*, i64 cif, i32 abi, i32 arguments, i64 result, i64 types) {
  return ffi_prep_cif(reinterpret_cast<ffi_cif*>(cif), static_cast<ffi_abi>(abi), static_cast<u32>(arguments),
                      reinterpret_cast<ffi_type*>(result), reinterpret_cast<ffi_type**>(types));
}

i32 LibFallback_ffi_prep_cif_var(JavaThread*, i64 cif, i32 abi, i32 fixed, i32 arguments, i64 result, i64 types) {
  return ffi_prep_cif_var(reinterpret_cast<ffi_cif*>(cif), static_cast<ffi_abi>(abi), static_cast<u32>(fixed),
                          static_cast<u32>(arguments), reinterpret_cast<ffi_type*>(result),
                          reinterpret_cast<ffi_type**>(types));
}

i32 LibFallback_ffi_get_struct_offsets(JavaThread*, i32 abi, i64 type, i64 offsets) {
  return ffi_get_struct_offsets(static_cast<ffi_abi>(abi), reinterpret_cast<ffi_type*>(type),
                                reinterpret_cast<size_t*>(offsets));
}

i32 LibFallback_ffi_default_abi(JavaThread*) { return FFI_DEFAULT_ABI; }
i16 LibFallback_ffi_type_struct(JavaThread*) { return FFI_TYPE_STRUCT; }

#define KEYHOLE_FFI_TYPE(type) \
  i64 LibFallback_##type(JavaThread*) { return reinterpret_cast<i64>(&type); }
KEYHOLE_FFI_TYPE(ffi_type_void)
KEYHOLE_FFI_TYPE(ffi_type_uint8)
KEYHOLE_FFI_TYPE(ffi_type_sint8)
KEYHOLE_FFI_TYPE(ffi_type_uint16)
KEYHOLE_FFI_TYPE(ffi_type_sint16)
KEYHOLE_FFI_TYPE(ffi_type_uint32)
KEYHOLE_FFI_TYPE(ffi_type_sint32)
KEYHOLE_FFI_TYPE(ffi_type_uint64)
KEYHOLE_FFI_TYPE(ffi_type_sint64)
KEYHOLE_FFI_TYPE(ffi_type_float)
KEYHOLE_FFI_TYPE(ffi_type_double)
KEYHOLE_FFI_TYPE(ffi_type_pointer)
#undef KEYHOLE_FFI_TYPE

i32 LibFallback_ffi_sizeof_short(JavaThread*) { return sizeof(short); }
i32 LibFallback_ffi_sizeof_int(JavaThread*) { return sizeof(int); }
i32 LibFallback_ffi_sizeof_long(JavaThread*) { return sizeof(long); }
i32 LibFallback_ffi_sizeof_wchar(JavaThread*) { return sizeof(wchar_t); }
i32 LibFallback_alignof_long_long(JavaThread*) { return alignof(long long); }
i32 LibFallback_alignof_double(JavaThread*) { return alignof(double); }

}  // namespace keyhole::natives
