// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The code image, -XX:CodeImage=FILE: what one run of a program has learnt and compiled, for the next one.
//
//            run 1                                FILE                              run 2
//   compiled ──keep_method──> methods ──save──> profiles ──open──> expected: queued with its first baseline code
//            ──keep_object──> objects ──save──> objects  ──open──> the same function: linked, not compiled
//
// I1  An object is found by all that it was made of (function_key.h), so it needs no trust in the program: who changes
//     a class gets another function, which is compiled. What belongs to the machine and the VM is in the file's key
//     (image_file.h); an image of another key is refused.
// I2  A method is found by its name and its bytecodes (kept_profile.h). A class that was compiled otherwise, redefined,
//     or is of another loader or release of a jar has other methods here, and both stay. So a bci in the image is that
//     of an instruction of the method; it is checked all the same before code is entered there (I6).
// I3  Profiles are hints (kept_profile.h). They make the second run translate a method to the function of the first
//     run, because all else that the translation reads is the same when the program does the same.
// I4  What a run has not used ages; what has not been used in `most_idle_runs` runs is dropped. So a file does not grow
//     for ever.
// I5  The file is replaced as a whole, by a rename. Of two processes that end at once, one wins. A file that is no
//     image of this key stays as it is.
// I6  An image is machine code, so it is trusted like the VM itself: only this user, or root, may have been able to
//     write it (image_file.h). All but the machine code is checked when it is read: lengths against what is left of the
//     file, numbers against their ranges.
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
  // A speculation that did not hold (jit/optimised/failed_speculations.h).
  struct FailedSpeculation {
    const Method* method;
    u32 bci;
    graph::Reason reason;
  };
  static constexpr i32 no_loop = -1;
  // One of a method's codes.
  struct KeptCode {
    i32 loop;   // its bci; no_loop: what is called
    FunctionKey key;
    bool operator==(const KeptCode&) const = default;
  };

  // What the file holds; empty when there is none. A file that cannot be used is a warning, and null: the program runs
  // without an image.
  static std::unique_ptr<CodeImage> open(const std::string& path, std::string key);

  // --- methods; managed thread, no safepoint -------------------------------------------------------------------------
  // An earlier run has compiled it; the loop that it was compiled for as well, or no_loop. The method has its cells.
  std::optional<i32> expected_loop_of(Method* method);
  // Profiles for the method and what an earlier run has looked at for it. What had failed there.
  std::vector<FailedSpeculation> make_profiles(Method* method);
  // It has been compiled. `looked_at`: what was inlined, or looked at for that. The object of the code that is replaced
  // goes: the method would be compiled to it again where the run has not come further yet.
  void keep_method(const Method* method, const KeptCode& code, std::span<Method* const> looked_at,
                   std::span<const FailedSpeculation> failed);

  // --- objects -------------------------------------------------------------------------------------------------------
  // A copy: another thread may drop it. Empty: there is none.
  std::string object_of(const FunctionKey& key);
  bool has_object(const FunctionKey& key);
  void keep_object(const FunctionKey& key, std::string object);

  // Writes the file, unless nothing in it would change.
  void save();
  // "120 methods, 131 objects (118 of them linked in this run)".
  std::string describe();

 private:
  static constexpr u8 most_idle_runs = 8;

  struct KeptSpeculation {
    std::string method;
    u32 bci;
    graph::Reason reason;
    bool operator==(const KeptSpeculation&) const = default;
  };
  struct KeptMethod {
    std::string profile;                  // empty: it was looked at, and has none
    bool is_root = false;                 // it was compiled itself
    std::vector<KeptCode> codes;          // of roots, as are the next two
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
