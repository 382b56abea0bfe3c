// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Code image (-XX:CodeImage=FILE): profiles and machine code of one run of a program, for the next run.
//
//            run 1                                FILE                              run 2
//   compiled ──keep_method──> methods ──save──> profiles ──open──> expected: queued with its first baseline code
//            ──keep_object──> objects ──save──> objects  ──open──> the same function: linked, not compiled
//
// I1: an object file is found by a hash of the whole lowered function from which it was compiled (function_key.h). So
//     the program may change: a changed class leads to another function, which is compiled. The key of the file
//     describes the machine and the VM (image_file.h). An image with another key is refused.
// I2: a method is found by its name and a hash of its bytecodes (kept_profile.h). If a class exists in several versions
//     (recompiled, redefined, from another release of a jar), the image keeps the methods of each version separately.
//     So a bci in the image always belongs to an instruction of the method that is found. Nevertheless a bci is checked
//     before code is entered there (I6).
// I3: profiles are hints (kept_profile.h). With the profile of the first run, the second run lowers a method to the
//     same function, because all other input of the compilation is equal when the program behaves in the same way.
// I4: an entry is dropped when more than `most_idle_runs` runs in a row have not used it. So the file does not grow
//     without bound.
// I5: the file is replaced as a whole, by a rename. When two processes end at the same time, the later rename wins. A
//     file that is not an image with the same key is never replaced.
// I6: the VM executes the machine code in an image without checking it. So only this user and root may be able to write
//     the file (trusted_file.h). Everything except the machine code is checked when it is read: lengths against the
//     rest of the file, numbers against their ranges.
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
  // KeptCode: refers to one object file of a method.
  struct KeptCode {
    i32 loop;  // for OSR code, the bci of its loop's header; for code of the method's entry, no_loop
    FunctionKey key;
    bool operator==(const KeptCode&) const = default;
  };

  // Reads the file. If the file does not exist, the image is empty. If the file cannot be used, prints a warning and
  // returns null; the program runs without an image then.
  static std::unique_ptr<CodeImage> open(const std::string& path, std::string key);

  // --- methods; managed thread, no safepoint -------------------------------------------------------------------------
  // Returns nothing if no earlier run has compiled the method. Otherwise returns a loop for which an earlier run made
  // OSR code of the method, or no_loop if earlier runs made only code for the method's entry. The method must have its
  // pre-decoded instructions.
  std::optional<i32> expected_loop_of(Method* method);
  // Makes MethodData for the method, and for the callees that an earlier run considered for inlining in it, from the
  // kept profiles. Returns the speculations that failed in the earlier run.
  std::vector<FailedSpeculation> make_profiles(Method* method);
  // Keeps the profile of a compiled method. `looked_at` lists the methods that were inlined, or considered for
  // inlining. If the new code replaces older code for the same entry or loop, the older code's object file is dropped.
  // A later run compiles the method early, when few instructions are resolved, and so it may lower the method to the
  // older function. If the image still had the older object file, the later run would find it by this function's key
  // and link it.
  void keep_method(const Method* method, const KeptCode& code, std::span<Method* const> looked_at,
                   std::span<const FailedSpeculation> failed);

  // --- objects -------------------------------------------------------------------------------------------------------
  // Returns a copy of the function's object file, because another thread may drop the original. Returns an empty string
  // if the image has no object file of the function.
  std::string object_of(const FunctionKey& key);
  bool has_object(const FunctionKey& key);
  void keep_object(const FunctionKey& key, std::string object);

  // Writes the image to its file if the image has changed since it was opened.
  void save();
  // Describes the image's content, for example "120 methods, 131 objects (118 of them linked in this run)".
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
    // The profile as bytes. It is empty if the method was only considered for inlining and has no profile.
    std::string profile;
    // whether the method has been compiled on its own, not only inlined into another method
    bool is_root = false;
    // if `is_root` is false, `codes`, `looked_at` and `failed` are empty
    std::vector<KeptCode> codes;
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
