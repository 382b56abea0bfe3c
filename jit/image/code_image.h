// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Code image (-XX:CodeImage=FILE): profiles and machine code of one run of a program, for the next run.
//
//            run 1                                FILE                              run 2
//   compiled ──keep_method──> methods ──save──> profiles ──open──> expected: queued with its first baseline code
//            ──keep_object──> objects ──save──> objects  ──open──> the same function: linked, not compiled
//
// I1: an object file is found by the whole lowered function that it was made of (function_key.h). So the program may
//     change: a changed class leads to another function, which is compiled. Machine and VM are described by the file's
//     key (image_file.h); an image with another key is refused.
// I2: a method is found by its name and its bytecodes (kept_profile.h). A class that was compiled differently,
//     redefined, or comes from another loader or release of a jar has other methods in the image, and the image keeps
//     both. So a bci in the image is the bci of an instruction of the method; it is checked all the same before code is
//     entered there (I6).
// I3: profiles are hints (kept_profile.h). With them the second run translates a method to the same function as the
//     first run, because everything else that the translation reads is the same when the program does the same.
// I4: an entry ages in each run that does not use it, and is dropped after more than `most_idle_runs` such runs in a
//     row. So a file does not grow without bound.
// I5: the file is replaced as a whole, by a rename. When two processes end at the same time, one of their files stays.
//     A file that is no image of this key is not replaced.
// I6: an image contains machine code, so it is trusted like the VM itself: only this user, or root, may have been able
//     to write it (image_file.h). Everything but the machine code is checked when it is read: lengths against the rest
//     of the file, numbers against their ranges.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "jit/graph/ir/graph.h"
#include "jit/image/function_key.h"
#include "runtime/base/mutex.h"
#include "vm/metadata/method.h"

namespace keyhole::image {

class CodeImage {
 public:
  // A failed speculation (jit/optimised/failed_speculations.h).
  struct FailedSpeculation {
    const Method* method;
    u32 bci;
    graph::DeoptReason reason;
  };
  static constexpr i32 no_loop = -1;
  // A kept code of a method.
  struct KeptCode {
    i32 loop;  // bci of the loop's header; no_loop: code for the method's entry
    FunctionKey key;
    bool operator==(const KeptCode&) const = default;
  };

  // Reads the file; the image is empty if there is no file. If the file cannot be used, prints a warning and returns
  // null: then the program runs without an image.
  static std::unique_ptr<CodeImage> open(const std::string& path, std::string key);

  // --- methods; managed thread, no safepoint -------------------------------------------------------------------------
  // The loop that an earlier run has compiled besides the method's entry, or no_loop; nothing if no earlier run has
  // compiled the method. The method must have its pre-decoded instructions.
  std::optional<i32> expected_loop_of(Method* method);
  // Makes profiles for the method, and for the callees that an earlier run considered for inlining in it. Returns the
  // speculations that had failed in that run.
  std::vector<FailedSpeculation> make_profiles(Method* method);
  // Keeps a method that was compiled. `looked_at` lists the methods that were inlined, or considered for inlining. The
  // object of the code that the new code replaces is dropped. Otherwise a later run, at a time when fewer of the
  // method's instructions are resolved, could translate the method to that older function again, and find its object.
  void keep_method(const Method* method, const KeptCode& code, std::span<Method* const> looked_at,
                   std::span<const FailedSpeculation> failed);

  // --- objects -------------------------------------------------------------------------------------------------------
  // The object for the function, as a copy, because another thread may drop it. Empty if the image has none.
  std::string object_of(const FunctionKey& key);
  bool has_object(const FunctionKey& key);
  void keep_object(const FunctionKey& key, std::string object);

  // Writes the file, unless nothing in it would change.
  void save();
  // Describes the content, for example "120 methods, 131 objects (118 of them linked in this run)".
  std::string describe();

 private:
  static constexpr u8 most_idle_runs = 8;

  struct KeptSpeculation {
    std::string method;
    u32 bci;
    graph::DeoptReason reason;
    bool operator==(const KeptSpeculation&) const = default;
  };
  struct KeptMethod {
    std::string profile;          // empty: the method was considered for inlining, and has no profile
    bool is_root = false;         // the method was compiled, and not only inlined
    std::vector<KeptCode> codes;  // this field and the next two are for roots only
    std::vector<std::string> looked_at;
    std::vector<KeptSpeculation> failed;
    u8 idle_runs = 0;
  };
  struct KeptObject {
    std::string bytes;
    u8 idle_runs = 0;
  };

  CodeImage(std::string path, std::string key) : path_(std::move(path)), key_(std::move(key)) {}
  bool read(std::string_view content);
  std::string write() REQUIRES(mutex_);
  KeptMethod& kept(const std::string& name, const Method* method) REQUIRES(mutex_);
  void keep_code(KeptMethod& method, const KeptCode& code) REQUIRES(mutex_);
  void age() REQUIRES(mutex_);

  const std::string path_, key_;
  Mutex mutex_{LockRank::code_image};
  std::unordered_map<std::string, KeptMethod> methods_ GUARDED_BY(mutex_);
  std::unordered_map<FunctionKey, KeptObject> objects_ GUARDED_BY(mutex_);
  u32 linked_ GUARDED_BY(mutex_) = 0;
  bool is_changed_ GUARDED_BY(mutex_) = false;
};

}  // namespace keyhole::image
