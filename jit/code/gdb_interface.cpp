// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes ELF files that describe compiled code, and maintains the list of these files that gdb reads.
#include "jit/code/gdb_interface.h"

#include <elf.h>

#include <cstring>
#include <map>
#include <memory>

#include "runtime/base/flags.h"

// --- gdb's "JIT Compilation Interface" prescribes these names and layouts --------------------------------------------
extern "C" {

struct jit_code_entry {
  jit_code_entry* next_entry;
  jit_code_entry* prev_entry;
  const char* symfile_addr;
  uint64_t symfile_size;
};

struct jit_descriptor {
  uint32_t version;
  // The latest change of the list: 0: none; 1: relevant_entry was added; 2: relevant_entry was removed.
  uint32_t action_flag;
  jit_code_entry* relevant_entry;
  jit_code_entry* first_entry;
};

[[gnu::noinline, gnu::used]] void __jit_debug_register_code() { asm volatile("" ::: "memory"); }
[[gnu::used]] jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};

}  // extern "C"

namespace keyhole::gdb {
namespace {

enum Action : uint32_t { nothing, is_added, is_removed };

struct File {
  std::string bytes;
  jit_code_entry entry;
};
std::map<uptr, std::unique_ptr<File>> files;  // by address of the code

template <typename T> void put(std::string& to, T value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// Pads the table entry that begins at `begin`, and writes its length. The length excludes the length field.
void finish_entry(std::string& table, usize begin) {
  while (table.size() % 8 != 0) table.push_back(0);  // DW_CFA_nop
  u32 length = static_cast<u32>(table.size() - begin - sizeof(u32));
  memcpy(&table[begin], &length, sizeof(length));
}

// Writes unwind information in DWARF's format. In DWARF's numbering register 7 is rsp, and register 16 the return
// address.
std::string unwind_table(uptr address, usize bytes, const std::vector<Call>& calls) {
  constexpr char def_cfa = 0x0C, def_cfa_offset = 0x0E, advance_loc4 = 0x04,
                 offset_of_return_address = static_cast<char>(0x80 | 16);
  std::string table;
  put<u32>(table, 0);
  put<u32>(table, 0);  // id 0: this entry of the table is a common information entry
  table += '\1';
  table.append("zR", 3);
  // The code alignment is 1, the data alignment -8, the return address is register 16, and addresses are absolute.
  table.append({1, 0x78, 16, 1, 0});
  table.append({def_cfa, 7, 8, offset_of_return_address, 1});
  finish_entry(table, 0);
  usize begin = table.size();
  put<u32>(table, 0);
  put<u32>(table, static_cast<u32>(table.size()));  // the distance from this word back to the common information entry
  put<u64>(table, address);
  put<u64>(table, bytes);
  table += '\0';
  u32 at = 0;
  auto change = [&](u32 where, char offset) {
    table += advance_loc4;
    put<u32>(table, where - at);
    table.append({def_cfa_offset, offset});
    at = where;
  };
  for (const Call& call : calls) {
    change(call.begin, 16);
    change(call.end, 8);
  }
  finish_entry(table, begin);
  put<u32>(table, 0);
  return table;
}

std::string elf_file(uptr address, usize bytes, const std::string& name, const std::vector<Call>& calls) {
  enum Section { none, text, eh_frame, symtab, strtab, shstrtab, section_count };
  std::string section_names(1, '\0');
  Elf64_Shdr sections[section_count] = {};
  std::string file(sizeof(Elf64_Ehdr), '\0');
  auto section = [&](Section index, const char* section_name, u32 type, u64 flags,
                     const std::string& content) -> Elf64_Shdr& {
    while (file.size() % 8 != 0) file.push_back(0);
    Elf64_Shdr& header = sections[index];
    header.sh_name = static_cast<u32>(section_names.size());
    header.sh_type = type;
    header.sh_flags = flags;
    header.sh_offset = file.size();
    header.sh_size = content.size();
    header.sh_addralign = 8;
    section_names.append(section_name).push_back('\0');
    file += content;
    return header;
  };
  Elf64_Shdr& code = section(text, ".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, "");
  code.sh_addr = address;
  code.sh_size = bytes;
  section(eh_frame, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, unwind_table(address, bytes, calls));
  Elf64_Sym symbols[2] = {};
  symbols[1].st_name = 1;
  symbols[1].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
  symbols[1].st_shndx = text;
  symbols[1].st_value = address;
  symbols[1].st_size = bytes;
  Elf64_Shdr& table =
      section(symtab, ".symtab", SHT_SYMTAB, 0, std::string(reinterpret_cast<const char*>(symbols), sizeof(symbols)));
  table.sh_entsize = sizeof(Elf64_Sym);
  table.sh_link = strtab;
  table.sh_info = 1;
  section(strtab, ".strtab", SHT_STRTAB, 0, std::string(1, '\0') + name + std::string(1, '\0'));
  std::string all_names = section_names + ".shstrtab" + '\0';
  section(shstrtab, ".shstrtab", SHT_STRTAB, 0, all_names);
  while (file.size() % 8 != 0) file.push_back(0);
  Elf64_Ehdr header = {};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_shoff = file.size();
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = section_count;
  header.e_shstrndx = shstrtab;
  memcpy(file.data(), &header, sizeof(header));
  file.append(reinterpret_cast<const char*>(sections), sizeof(sections));
  return file;
}

void notify_debugger(jit_code_entry* entry, Action action) {
  __jit_debug_descriptor.relevant_entry = entry;
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_register_code();
  __jit_debug_descriptor.action_flag = nothing;
}

}  // namespace

void add(uptr address, usize bytes, const std::string& name, const std::vector<Call>& calls) {
  if (!flags::UseGdbJitInterface) return;
  auto file = std::make_unique<File>();
  file->bytes = elf_file(address, bytes, name, calls);
  file->entry = {__jit_debug_descriptor.first_entry, nullptr, file->bytes.data(), file->bytes.size()};
  if (file->entry.next_entry != nullptr) file->entry.next_entry->prev_entry = &file->entry;
  __jit_debug_descriptor.first_entry = &file->entry;
  notify_debugger(&file->entry, is_added);
  files[address] = std::move(file);
}

void remove(uptr address) {
  auto found = files.find(address);
  if (found == files.end()) return;
  jit_code_entry* entry = &found->second->entry;
  if (entry->prev_entry != nullptr) entry->prev_entry->next_entry = entry->next_entry;
  else __jit_debug_descriptor.first_entry = entry->next_entry;
  if (entry->next_entry != nullptr) entry->next_entry->prev_entry = entry->prev_entry;
  notify_debugger(entry, is_removed);
  files.erase(found);
}

}  // namespace keyhole::gdb
