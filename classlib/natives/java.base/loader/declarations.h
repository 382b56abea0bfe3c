// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ functions behind the natives of jdk.internal.loader; names and parameters as in
// classlib/natives/declarations.h.
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// jdk.internal.loader.BuiltinClassLoader
Object* BuiltinClassLoader_findInJdk0(JavaThread*, Handle);
Object* BuiltinClassLoader_defineFromClassPath0(JavaThread*, Handle, Handle);
Object* BuiltinClassLoader_read0(JavaThread*, Handle);
Object* BuiltinClassLoader_locations0(JavaThread*, Handle, bool);
Object* BuiltinClassLoader_manifest0(JavaThread*, Handle);
bool BuiltinClassLoader_hasArchives0(JavaThread*);

// jdk.internal.loader.BootLoader
Object* BootLoader_resource0(JavaThread*, Handle, Handle);
Object* BootLoader_moduleOf0(JavaThread*, Handle);
Object* BootLoader_defaultModuleNames0(JavaThread*);
Object* BootLoader_modulesWith0(JavaThread*, Handle);
bool BootLoader_usesService0(JavaThread*, Handle, Handle);
Object* BootLoader_serviceProviders0(JavaThread*, Handle);

// jdk.internal.loader.BootLoader
Object* BootLoader_getSystemPackageLocation(JavaThread*, Handle);
Object* BootLoader_getSystemPackageNames(JavaThread*);
void BootLoader_setBootLoaderUnnamedModule0(JavaThread*, Handle);

// jdk.internal.loader.NativeLibraries
Object* NativeLibraries_findBuiltinLib(JavaThread*, Handle);
i64 NativeLibraries_findEntry0(JavaThread*, Handle, Handle);
bool NativeLibraries_load(JavaThread*, Handle, Handle, bool, bool, bool);
void NativeLibraries_unload(JavaThread*, Handle, bool, bool, i64);
bool NativeLibraries_load_21(JavaThread*, Handle, Handle, bool, bool);
void NativeLibraries_unload_21(JavaThread*, Handle, bool, i64);
i64 NativeLibrary_findEntry0(JavaThread*, i64, Handle);

}  // namespace keyhole::natives
