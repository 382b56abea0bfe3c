// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writing the class of a direct call, and finding it again.
#include "vm/link/indy/direct_call.h"

#include <algorithm>
#include <map>
#include <utility>

#include "gc/heap/heap.h"
#include "runtime/base/mutex.h"
#include "vm/link/loading/class_unit.h"
#include "vm/link/module_access.h"
#include "vm/link/well_known.h"

namespace keyhole::indy {

namespace {

constexpr u32 receiver_local = 1, arguments_local = 2, first_local = 3;

Mutex direct_calls_mutex{LockRank::direct_calls};
using Key = std::pair<const Method*, CallArguments>;
std::map<Key, InstanceKlass*>& direct_calls() REQUIRES(direct_calls_mutex) {
  static std::map<Key, InstanceKlass*> table;
  return table;
}

void forget(void* method) {
  MutexLock guard(direct_calls_mutex);
  for (CallArguments arguments : {CallArguments::Trusted, CallArguments::Checked})
    direct_calls().erase({static_cast<const Method*>(method), arguments});
}

class DirectCallClass {
 public:
  DirectCallClass(const Method* method, CallArguments arguments)
      : method_(method), checks_(arguments == CallArguments::Checked), owner_(method->holder->name->text()),
        parameters_(parameters_of(method->descriptor->text(), &result_)),
        writer_(access::Final | access::Super | access::Synthetic, fmt::format("{}$$Call", owner_), "java/lang/Object",
                {"java/util/function/BiFunction"}),
        code_(writer_.method(access::Public, "apply", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;")) {
    read_arguments();
    call();
    code_.bind(not_done_);
    code_.load(BasicType::Reference, 0);
    code_.return_value(BasicType::Reference);
    code_.end();
  }
  ClassWriter& writer() { return writer_; }

 private:
  bool has_receiver() const { return !method_->is_static() && !method_->is_initializer(); }

  void read(u32 index, u32 local) {
    code_.load(BasicType::Reference, arguments_local);
    code_.integer(static_cast<i32>(index));
    code_.op(opcode::aaload);
    code_.store(BasicType::Reference, local);
  }
  void check(u32 local, std::string_view class_name) {  // C2
    code_.load(BasicType::Reference, local);
    code_.type_op(opcode::instanceof, class_name);
    code_.jump(opcode::ifeq, not_done_);
  }

  void read_arguments() {
    code_.load(BasicType::Reference, arguments_local);
    code_.type_op(opcode::checkcast, "[Ljava/lang/Object;");
    code_.store(BasicType::Reference, arguments_local);
    u32 index = 0;
    if (has_receiver()) {
      if (checks_) {
        check(receiver_local, owner_);
      } else {  // C1
        read(index++, receiver_local);
        code_.load(BasicType::Reference, receiver_local);
        code_.jump(opcode::ifnull, not_done_);
      }
    }
    for (u32 i = 0; i < parameters_.size(); ++i) {
      read(index++, first_local + i);
      if (!checks_ || parameters_[i] == object_descriptor) continue;
      if (std::string_view wrapper = wrapper_of(parameters_[i]); !wrapper.empty()) {
        check(first_local + i, wrapper);
        continue;
      }
      Label fits;
      code_.load(BasicType::Reference, first_local + i);
      code_.jump(opcode::ifnull, fits);
      check(first_local + i, class_name_of(parameters_[i]));
      code_.bind(fits);
    }
  }

  void call() {
    bool makes = method_->is_initializer();
    if (makes) {
      code_.type_op(opcode::new_, owner_);
      code_.op(opcode::dup);
    } else if (has_receiver()) {
      code_.load(BasicType::Reference, receiver_local);
    }
    for (u32 i = 0; i < parameters_.size(); ++i) {
      code_.load(BasicType::Reference, first_local + i);
      code_.unbox(parameters_[i]);
    }
    bool is_interface = method_->holder->is_interface();
    u8 instruction = makes                  ? opcode::invokespecial
                     : method_->is_static() ? opcode::invokestatic
                     : is_interface         ? opcode::invokeinterface
                                            : opcode::invokevirtual;
    code_.invoke(instruction, owner_, method_->name->text(), method_->descriptor->text(), is_interface);
    if (!makes && result_ == "V") code_.op(opcode::aconst_null);
    else if (!makes) code_.box(result_);
    code_.return_value(BasicType::Reference);
  }

  const Method* method_;
  const bool checks_;
  const std::string owner_;
  std::string result_;
  const std::vector<std::string> parameters_;
  ClassWriter writer_;
  CodeWriter code_;
  Label not_done_;
};

// Can a class with an ordinary invoke instruction call the method, with the same effect as the native?
bool can_be_called(const Method* method, ReferenceKind kind) {
  const InstanceKlass* holder = method->holder;
  if (holder->is_hidden || method->caller_sensitive || method->polymorphic_signature) return false;
  if (kind == ReferenceKind::NewInvokeSpecial) return method->is_initializer() && !holder->is_abstract();
  return !method->is_initializer() && (kind != ReferenceKind::InvokeSpecial || method->is_private());
}

// May the class access its method's parameter types? A signature may name types that the class itself may not.
bool are_accessible(JavaThread* thread, const InstanceKlass* holder, std::span<const Klass* const> parameters)
    MAY_SAFEPOINT {
  std::string why;
  for (const Klass* each : parameters)
    if (!can_access_class(holder, each) || !module_lets_see(thread, holder, each, why)) return false;
  return true;
}

InstanceKlass* class_of_call(JavaThread* thread, const Method* method, CallArguments arguments) MAY_SAFEPOINT {
  {
    MutexLock guard(direct_calls_mutex);
    if (auto found = direct_calls().find({method, arguments}); found != direct_calls().end()) return found->second;
  }
  DirectCallClass made(method, arguments);
  InstanceKlass* klass = define_generated(thread, made.writer(), method->holder);
  if (klass == nullptr) return nullptr;
  {
    MutexLock guard(method->holder->loader->mutex);
    method->holder->unit->adopt(const_cast<Method*>(method), forget);
  }
  MutexLock guard(direct_calls_mutex);
  return direct_calls().try_emplace({method, arguments}, klass).first->second;
}

}  // namespace

Object* make_direct_call(JavaThread* thread, Method* method, ReferenceKind kind, CallArguments arguments,
                         std::span<const Klass* const> parameters) {
  if (!can_be_called(method, kind)) return nullptr;
  Object* made = nullptr;
  if (are_accessible(thread, method->holder, parameters)) {
    if (InstanceKlass* klass = class_of_call(thread, method, arguments); klass != nullptr)
      made = heap::allocate_instance(thread, klass);
  }
  if (has_exception(thread)) take_exception(thread);
  return made;
}

}  // namespace keyhole::indy
