// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces _exit in builds with KEYHOLE_COVERAGE: writes the counts of this process first.
extern "C" {

int __llvm_profile_write_file(void);
[[noreturn]] void __real__exit(int status);
[[noreturn]] void __wrap__exit(int status);

void __wrap__exit(int status) {
  __llvm_profile_write_file();
  __real__exit(status);
}

}  // extern "C"
