// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The adapters of VarHandle sites.
#include "vm/link/indy/var_handle_site.h"

#include <cstring>
#include <unordered_map>

#include "runtime/base/controlled/strands.h"
#include "runtime/base/mutex.h"
#include "vm/link/indy/polymorphic.h"

namespace keyhole::indy {

namespace {

constexpr std::string_view handle_class = "java/lang/invoke/VarHandle",
                           handle_descriptor = "Ljava/lang/invoke/VarHandle;",
                           site_class = "java/lang/invoke/VarHandleSite",
                           site_descriptor = "Ljava/lang/invoke/VarHandleSite;",
                           view_class = "java/lang/invoke/ByteViewVarHandle",
                           view_descriptor = "Ljava/lang/invoke/ByteViewVarHandle;",
                           unsafe_class = "jdk/internal/misc/Unsafe", unsafe_descriptor = "Ljdk/internal/misc/Unsafe;";

LazyClass site_java_class("java/lang/invoke/VarHandleSite");
LazyMethod make_site(site_java_class, "make",
                     "(ILjava/lang/invoke/MethodType;Ljava/lang/ClassLoader;)Ljava/lang/invoke/VarHandleSite;");

// In the order of java.lang.invoke.VarHandle.AccessMode.
constexpr std::string_view mode_names[] = {
    "get",
    "set",
    "getVolatile",
    "setVolatile",
    "getAcquire",
    "setRelease",
    "getOpaque",
    "setOpaque",
    "compareAndSet",
    "compareAndExchange",
    "compareAndExchangeAcquire",
    "compareAndExchangeRelease",
    "weakCompareAndSetPlain",
    "weakCompareAndSet",
    "weakCompareAndSetAcquire",
    "weakCompareAndSetRelease",
    "getAndSet",
    "getAndSetAcquire",
    "getAndSetRelease",
    "getAndAdd",
    "getAndAddAcquire",
    "getAndAddRelease",
    "getAndBitwiseOr",
    "getAndBitwiseOrRelease",
    "getAndBitwiseOrAcquire",
    "getAndBitwiseAnd",
    "getAndBitwiseAndRelease",
    "getAndBitwiseAndAcquire",
    "getAndBitwiseXor",
    "getAndBitwiseXorRelease",
    "getAndBitwiseXorAcquire",
};

std::string_view unsafe_type_name(std::string_view descriptor) {
  switch (descriptor[0]) {
    case 'Z': return "Boolean";
    case 'C': return "Char";
    case 'F': return "Float";
    case 'D': return "Double";
    case 'B': return "Byte";
    case 'S': return "Short";
    case 'I': return "Int";
    case 'J': return "Long";
    default: return "Reference";
  }
}

enum class Access : u8 { Get, Set, CompareAndSet, CompareAndExchange, GetAndUpdate };

// An access of one mode to a variable of one type, as a call of Unsafe.
struct UnsafeCall {
  Access access;
  u32 values;  // number of arguments after the coordinates
  std::string name;
  std::string descriptor;
  std::string result;
};

// Returns the suffix of the method of Unsafe that makes a read or a write. Only a controlled VM with write histories
// makes a difference between the modes that are not plain (runtime/base/controlled/write_histories.h).
std::string_view suffix_of(std::string_view mode) {
  usize stem = strlen("get");
  if (mode.size() == stem) return "";
  return controlled::is_on() && controlled::has_histories() ? mode.substr(stem) : "Volatile";
}

UnsafeCall unsafe_call(std::string_view mode, std::string_view type) {
  std::string_view stem = mode;
  for (std::string_view suffix : {"Volatile", "Acquire", "Release", "Opaque", "Plain"}) {
    if (stem.ends_with(suffix)) stem.remove_suffix(suffix.size());
  }
  std::string_view name = unsafe_type_name(type);
  UnsafeCall call;
  std::string one(type);
  if (stem == "get" || stem == "set") {
    bool is_get = stem == "get";
    call.access = is_get ? Access::Get : Access::Set;
    call.values = is_get ? 0 : 1;
    call.name = fmt::format("{}{}{}", is_get ? "get" : "put", name, suffix_of(mode));
    call.result = is_get ? one : "V";
  } else if (stem == "compareAndSet" || stem == "weakCompareAndSet") {
    call.access = Access::CompareAndSet;
    call.values = 2;
    call.name = fmt::format("compareAndSet{}", name);
    call.result = "Z";
  } else {
    call.access = stem == "compareAndExchange" ? Access::CompareAndExchange : Access::GetAndUpdate;
    call.values = stem == "compareAndExchange" ? 2 : 1;
    call.name = fmt::format("{}{}", stem, name);
    call.result = one;
  }
  call.descriptor = "(Ljava/lang/Object;J";
  for (u32 i = 0; i < call.values; ++i) call.descriptor += one;
  call.descriptor += ")" + call.result;
  return call;
}

std::string array_of(std::string_view type) { return fmt::format("[{}", type); }

class AdapterWriter {
 public:
  AdapterWriter(CodeWriter& code, std::string_view mode, std::vector<std::string> arguments, std::string result,
                bool stores_null)
      : code_(code), mode_(mode), arguments_(std::move(arguments)), result_(std::move(result)),
        stores_null_(stores_null) {
    u32 local = 1;
    for (const std::string& argument : arguments_) {
      locals_.push_back(local);
      local += slot_count(type_of(argument));
    }
    site_ = local;
  }

  void write() {
    if (prepare()) {
      if (coordinates_ == 2) write_array_access();
      else write_field_access();
    }
    write_boxed_access();
  }

 private:
  static BasicType type_of(std::string_view descriptor) { return basic_type_of_descriptor(descriptor[0]); }

  // Finds the variable's type and the coordinates; false when the site has no fast form.
  bool prepare() {
    UnsafeCall shape = unsafe_call(mode_, "I");
    if (arguments_.size() < shape.values) return false;
    coordinates_ = static_cast<u32>(arguments_.size()) - shape.values;
    if (shape.values == 0) {
      if (result_ == "V") return false;
      type_ = result_;
    } else {
      type_ = arguments_.back();
      for (usize i = coordinates_; i < arguments_.size(); ++i)
        if (arguments_[i] != type_) return false;
    }
    call_ = unsafe_call(mode_, type_);
    if (result_ != "V" && result_ != call_.result) return false;
    if (coordinates_ >= 1 && type_of(arguments_[0]) != BasicType::Reference) return false;
    return coordinates_ <= 1 || (coordinates_ == 2 && arguments_[1] == "I");
  }

  void assert_direct() {
    if constexpr (checks_types) {
      code_.load(BasicType::Reference, 0);
      code_.load(BasicType::Reference, site_);
      code_.invoke(opcode::invokestatic, "java/lang/invoke/TypeBoundary", "checkDirect",
                   "(Ljava/lang/invoke/VarHandle;Ljava/lang/invoke/VarHandleSite;)V");
    }
  }

  void jump_unless_known(std::string_view field, std::string_view descriptor, Label& other) {
    code_.load(BasicType::Reference, 0);
    code_.load(BasicType::Reference, site_);
    code_.field(opcode::getfield, site_class, field, descriptor);
    code_.jump(opcode::if_acmpne, other);
  }

  void load_handle_offset() {
    code_.load(BasicType::Reference, 0);
    code_.field(opcode::getfield, handle_class, "offset", "J");
  }

  void jump_unless_null_is_stored() {
    if (!stores_null_ || call_.values == 0) return;
    code_.load(BasicType::Reference, locals_.back());
    code_.jump(opcode::ifnonnull, boxed_);
  }

  // Checks the classes of values that are stored as an interface type, because the verifier does not (JVMS 4.10.1.2).
  void check_stored_interfaces() {
    if (type_of(type_) != BasicType::Reference || call_.values == 0) return;
    Label unchecked;
    code_.load(BasicType::Reference, 0);
    code_.field(opcode::getfield, handle_class, "interfaceType", "Ljava/lang/Class;");
    code_.jump(opcode::ifnull, unchecked);
    for (usize i = coordinates_; i < arguments_.size(); ++i) {
      code_.load(BasicType::Reference, 0);
      code_.load(BasicType::Reference, locals_[i]);
      code_.invoke(opcode::invokestatic, handle_class, "checkStored",
                   "(Ljava/lang/invoke/VarHandle;Ljava/lang/Object;)V");
    }
    code_.bind(unchecked);
  }

  // Loads the values, calls Unsafe and returns its result.
  void finish_call() {
    for (usize i = coordinates_; i < arguments_.size(); ++i) code_.load(type_of(type_), locals_[i]);
    code_.invoke(opcode::invokevirtual, unsafe_class, call_.name, call_.descriptor);
    if (result_ == "V" && call_.result != "V")
      code_.op(slot_count(type_of(call_.result)) == 2 ? opcode::pop2 : opcode::pop);
    code_.return_value(type_of(result_));
  }

  void write_field_access() {
    jump_unless_known("direct", handle_descriptor, boxed_);
    assert_direct();
    jump_unless_null_is_stored();
    if (coordinates_ == 1) {
      code_.load(BasicType::Reference, locals_[0]);
      code_.jump(opcode::ifnull, boxed_);
    }
    check_stored_interfaces();
    code_.field(opcode::getstatic, handle_class, "UNSAFE", unsafe_descriptor);
    if (coordinates_ == 1) {
      code_.load(BasicType::Reference, locals_[0]);
    } else {
      code_.load(BasicType::Reference, 0);
      code_.field(opcode::getfield, handle_class, "base", object_descriptor);
    }
    load_handle_offset();
    finish_call();
  }

  void write_array_access() {
    Label other;
    jump_unless_known("direct", handle_descriptor, other);
    assert_direct();
    jump_unless_null_is_stored();
    // A null array or a wrong index goes to the boxed path, which throws the right exception.
    code_.load(BasicType::Reference, locals_[0]);
    code_.jump(opcode::ifnull, boxed_);
    code_.load(BasicType::Int, locals_[1]);
    code_.jump(opcode::iflt, boxed_);
    code_.load(BasicType::Int, locals_[1]);
    code_.load(BasicType::Reference, locals_[0]);
    code_.type_op(opcode::checkcast, array_of(type_));
    code_.op(opcode::arraylength);
    code_.jump(opcode::if_icmpge, boxed_);
    check_stored_interfaces();
    if (type_of(type_) == BasicType::Reference && call_.access != Access::Get) {
      code_.load(BasicType::Reference, locals_[0]);
      code_.load(BasicType::Reference, locals_.back());
      code_.invoke(opcode::invokestatic, "java/lang/invoke/ArrayVarHandle", "checkStore",
                   "(Ljava/lang/Object;Ljava/lang/Object;)V");
    }
    code_.field(opcode::getstatic, handle_class, "UNSAFE", unsafe_descriptor);
    code_.load(BasicType::Reference, locals_[0]);
    load_handle_offset();
    code_.load(BasicType::Int, locals_[1]);
    code_.op(opcode::i2l);
    code_.load(BasicType::Reference, 0);
    code_.field(opcode::getfield, handle_class, "shift", "I");
    code_.op(opcode::lshl);
    code_.op(opcode::ladd);
    finish_call();
    code_.bind(other);
    write_view_access();
  }

  // Writes plain reads and writes of a byte[] viewed as wider values.
  void write_view_access() {
    bool is_plain = mode_ == "get" || mode_ == "set";
    static constexpr std::string_view viewed = "CSIJFD";
    if (!is_plain || viewed.find(type_[0]) == std::string_view::npos || result_ != call_.result) return;
    jump_unless_known("view", view_descriptor, boxed_);
    code_.load(BasicType::Reference, 0);
    code_.type_op(opcode::checkcast, view_class);
    code_.load(BasicType::Reference, locals_[0]);
    code_.load(BasicType::Int, locals_[1]);
    bool is_get = call_.access == Access::Get;
    if (!is_get) code_.load(type_of(type_), locals_[2]);
    code_.invoke(
        opcode::invokevirtual, view_class, fmt::format("{}{}", mode_, unsafe_type_name(type_)),
        is_get ? fmt::format("(Ljava/lang/Object;I){}", type_) : fmt::format("(Ljava/lang/Object;I{})V", type_));
    code_.return_value(type_of(result_));
  }

  void write_boxed_access() {
    code_.bind(boxed_);
    code_.load(BasicType::Reference, 0);
    code_.load(BasicType::Reference, site_);
    write_boxed_arguments(code_, arguments_, 1);
    code_.invoke(opcode::invokestatic, site_class, "access",
                 "(Ljava/lang/invoke/VarHandle;Ljava/lang/invoke/VarHandleSite;[Ljava/lang/Object;)Ljava/lang/Object;");
    write_unboxed_return(code_, result_);
  }

  CodeWriter& code_;
  std::string_view mode_;
  std::vector<std::string> arguments_;
  std::string result_;
  bool stores_null_;         // the last argument is a Void
  std::vector<u32> locals_;  // of each argument
  u32 site_;
  u32 coordinates_ = 0;
  std::string type_;  // of the variable
  UnsafeCall call_;
  Label boxed_;
};

Mutex adapters_mutex{LockRank::variable_adapters};
std::unordered_map<std::string, Method*>& adapters() REQUIRES(adapters_mutex) {
  static std::unordered_map<std::string, Method*> table;
  return table;
}

Method* adapter(JavaThread* thread, std::string_view mode, std::string_view descriptor) MAY_SAFEPOINT {
  std::string erasure = erased(descriptor);
  std::string result;
  std::vector<std::string> arguments = parameters_of(descriptor, &result);
  bool stores_null = !arguments.empty() && arguments.back() == "Ljava/lang/Void;";
  std::string key = fmt::format("{}{}{}", mode, erasure, stores_null ? "null" : "");
  {
    MutexLock guard(adapters_mutex);
    if (auto found = adapters().find(key); found != adapters().end()) return found->second;
  }
  arguments = parameters_of(erasure, &result);
  std::vector<std::string> parameters = arguments;
  parameters.emplace(parameters.begin(), handle_descriptor);
  parameters.emplace_back(site_descriptor);
  ClassWriter writer(access::Final | access::Super | access::Synthetic, "java/lang/invoke/VarAccess",
                     "java/lang/Object");
  CodeWriter code = writer.method(access::Static, "access", descriptor_of(parameters, result));
  AdapterWriter(code, mode, arguments, result, stores_null).write();
  code.end();
  InstanceKlass* klass = define_generated(thread, writer, nullptr);
  if (klass == nullptr) return nullptr;
  MutexLock guard(adapters_mutex);
  return adapters().try_emplace(key, method_named(klass, "access")).first->second;
}

}  // namespace

i32 access_mode_of(std::string_view method_name) {
  for (usize i = 0; i < std::size(mode_names); ++i)
    if (mode_names[i] == method_name) return static_cast<i32>(i);
  return -1;
}

bool link_var_handle_site(JavaThread* thread, std::string_view mode, std::string_view descriptor,
                          const InstanceKlass* from, CallSiteLink& link) {
  i32 ordinal = access_mode_of(mode);
  KEYHOLE_CHECK(ordinal >= 0, "VarHandle.{} is not an access mode", mode);
  Object* type = method_type_of(thread, descriptor, from);
  if (type == nullptr) return false;
  HandleScope scope(thread);
  // Made first, because it rejects types with too many slots.
  Handle site =
      scope.make(make_site.call(thread, {slot_of(ordinal), slot_of(type), slot_of(from->loader->java_loader)}));
  if (!site) return false;
  link.target = adapter(thread, mode, descriptor);
  link.appendix = site.get();
  return link.target != nullptr;
}

}  // namespace keyhole::indy
