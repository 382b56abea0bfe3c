// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ functions behind the natives of jdk.internal.loader; names and parameters as in
// classlib/natives/declarations.h.
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// jdk.internal.loader.BuiltinClassLoader
Object* BuiltinClassLoader_findInJdk0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* BuiltinClassLoader_defineFromClassPath0(JavaThread*, Handle, Handle, bool) MAY_SAFEPOINT;
Object* BuiltinClassLoader_packagesOf0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* BuiltinClassLoader_locations0(JavaThread*, Handle, bool) MAY_SAFEPOINT;
Object* BuiltinClassLoader_manifest0(JavaThread*, Handle) MAY_SAFEPOINT;
bool BuiltinClassLoader_hasArchives0(JavaThread*);

// jdk.internal.loader.BootLoader
Object* BootLoader_resource0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
Object* BootLoader_moduleOf0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* BootLoader_defaultModuleNames0(JavaThread*) MAY_SAFEPOINT;
Object* BootLoader_modulesWith0(JavaThread*, Handle) MAY_SAFEPOINT;
bool BootLoader_usesService0(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;
Object* ServicesCatalog_serviceProviders0(JavaThread*, Handle) MAY_SAFEPOINT;

// jdk.internal.loader.BootLoader
Object* BootLoader_getSystemPackageLocation(JavaThread*, Handle) MAY_SAFEPOINT;
Object* BootLoader_getSystemPackageNames(JavaThread*) MAY_SAFEPOINT;
void BootLoader_setBootLoaderUnnamedModule0(JavaThread*, Handle);

// jdk.internal.loader.NativeLibraries
Object* NativeLibraries_findBuiltinLib(JavaThread*, Handle) MAY_SAFEPOINT;
i64 NativeLibraries_findEntry0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
bool NativeLibraries_load(JavaThread*, Handle, Handle, bool, bool, bool) MAY_SAFEPOINT;
void NativeLibraries_unload(JavaThread*, Handle, bool, bool, i64) MAY_SAFEPOINT;
bool NativeLibraries_load_21(JavaThread*, Handle, Handle, bool, bool) MAY_SAFEPOINT;
void NativeLibraries_unload_21(JavaThread*, Handle, bool, i64) MAY_SAFEPOINT;
i64 NativeLibrary_findEntry0(JavaThread*, i64, Handle) TOUCHES_OBJECTS;

// jdk.internal.loader.RawNativeLibraries
bool RawNativeLibraries_load0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
void RawNativeLibraries_unload0(JavaThread*, Handle, i64) MAY_SAFEPOINT;

}  // namespace keyhole::natives
