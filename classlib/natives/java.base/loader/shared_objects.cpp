// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared objects. The system's loader opens them. Their dynamic symbols are read before, because opening one runs it.
#include "classlib/natives/java.base/loader/shared_objects.h"

#include <dlfcn.h>
#include <elf.h>

#include <cstring>
#include <string_view>

#include "classlib/natives/support.h"
#include "runtime/threads/thread_state.h"

namespace keyhole::natives {

namespace {

// Reads `count` objects at an offset of the file; null if the file is too short.
template <typename T> const T* at(const std::string& file, u64 offset, u64 count = 1) {
  bool inside = offset <= file.size() && count <= (file.size() - offset) / sizeof(T);
  return inside && offset % alignof(T) == 0 ? reinterpret_cast<const T*>(file.data() + offset) : nullptr;
}

bool is_of_jni(std::string_view symbol) { return symbol == "JNI_OnLoad" || symbol.starts_with("Java_"); }

}  // namespace

bool serves_jni(const std::string& path) {
  const std::string file = file_contents(path);
  const auto* header = at<Elf64_Ehdr>(file, 0);
  if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_shentsize != sizeof(Elf64_Shdr)) {
    return false;
  }
  const auto* sections = at<Elf64_Shdr>(file, header->e_shoff, header->e_shnum);
  for (u32 i = 0; sections != nullptr && i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_DYNSYM || sections[i].sh_link >= header->e_shnum) continue;
    const Elf64_Shdr& texts = sections[sections[i].sh_link];
    const u64 count = sections[i].sh_size / sizeof(Elf64_Sym);
    const auto* symbols = at<Elf64_Sym>(file, sections[i].sh_offset, count);
    const auto* names = at<char>(file, texts.sh_offset, texts.sh_size);
    if (symbols == nullptr || names == nullptr || texts.sh_size == 0 || names[texts.sh_size - 1] != '\0') continue;
    for (u64 k = 0; k < count; ++k) {
      bool is_defined = symbols[k].st_shndx != SHN_UNDEF && symbols[k].st_name < texts.sh_size;
      if (is_defined && is_of_jni(names + symbols[k].st_name)) return true;
    }
  }
  return false;
}

void* open_shared_object(JavaThread* thread, const std::string& name, std::string& failure) {
  NativeScope native(thread);
  void* object = dlopen(name.c_str(), RTLD_LAZY);
  if (object == nullptr) failure = dlerror();
  return object;
}

void close_shared_object(JavaThread* thread, void* object) {
  NativeScope native(thread);
  dlclose(object);
}

}  // namespace keyhole::natives
