// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Pre-decodes bytecode: one pass numbers the instructions, one translates them, one finds superinstructions.
//
// The class file parser and the verifier have checked the code: every instruction is complete, and every branch leads
// to an instruction.
#include "vm/interpreter/decoder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "runtime/base/mutex.h"
#include "runtime/sync/synchronizer.h"
#include "vm/bytecodes.h"
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/handlers/locking_handlers.h"
#include "vm/interpreter/intrinsics.h"
#include "vm/link/linker.h"

namespace keyhole {
namespace interpreter {
namespace {

// --- superinstructions -----------------------------------------------------------------------------------------------

// The sequences of operations in superinstructions.def, as a trie. Each edge of the trie stands for an operation. The
// table `next` has the edges: next[row][operation] is the node to which the edge leads, or 0 if there is no edge. Node
// 0 is the root.
struct Runs {
  struct Node {
    Operation name = Operation::nop;  // the superinstruction whose sequence ends at this node, or nop
    u8 children = 0;                  // the row of `next` with this node's outgoing edges; 0 if it has none
  };
  u8 rows = 1, nodes = 1;
  std::array<PerOperation<u8>, 16> next{};  // row 0 has the root's edges
  std::array<Node, 160> node{};

  constexpr u8 step(u8 row, Operation operation) {
    u8& to = next[row][index_of(operation)];
    if (to == 0) to = nodes++;
    return to;
  }
  constexpr void add(Operation name, std::initializer_list<Operation> run) {
    u8 row = 0, at = 0;
    for (Operation operation : run) {
      if (at != 0 && node[at].children == 0) node[at].children = rows++;
      if (at != 0) row = node[at].children;
      at = step(row, operation);
    }
    node[at].name = name;
  }
};
constexpr Runs runs = [] {
  Runs all;
#define SUPER2(name, first, second) all.add(Operation::name, {Operation::first, Operation::second});
#define SUPER3(name, first, second, third) \
  all.add(Operation::name, {Operation::first, Operation::second, Operation::third});
#define SUPER_RESOLVED(name, first, second)
#include "vm/code/superinstructions.def"
#undef SUPER2
#undef SUPER3
#undef SUPER_RESOLVED
  return all;
}();

// Encodes a superinstruction: the first instruction of the run, and the operands of the second instruction that the
// superinstruction needs.
u64 fused_word(Operation name, const Instruction& first, const Instruction& second) {
  Operation follower = static_cast<Operation>(second.operation);
  switch (follower) {
    case Operation::load:
    case Operation::load_wide:
    case Operation::store: {
      Operation leader = static_cast<Operation>(first.operation);
      bool a_is_taken = leader == Operation::load || leader == Operation::load_wide;
      return a_is_taken ? make_instruction(name, first.a, second.a) : make_instruction(name, second.a, first.b);
    }
    case Operation::constant: return make_instruction(name, first.a, second.b);
    default: return make_instruction(name, first.a, is_conditional_branch(follower) ? second.b : first.b);
  }
}

void fuse(Instruction* instructions, u32 count) {
  auto operation_at = [&](u32 i) {
    return i < count ? static_cast<Operation>(instructions[i].operation) : Operation::end_of_code;
  };
  for (u32 i = 0; i + 1 < count; ++i) {
    const Runs::Node& first = runs.node[runs.next[0][instructions[i].operation]];
    if (first.children == 0) continue;
    Operation second = operation_at(i + 1), third = operation_at(i + 2);
    // The first of two loads gets no superinstruction here, because resolution will fuse the second load with its
    // getfield.
    if (second == Operation::load && third == Operation::getfield_unresolved) continue;
    const Runs::Node& pair = runs.node[runs.next[first.children][index_of(second)]];
    const Runs::Node& triple = runs.node[pair.children == 0 ? 0 : runs.next[pair.children][index_of(third)]];
    bool is_triple = triple.name != Operation::nop;
    Operation name = is_triple ? triple.name : pair.name;
    if (name == Operation::nop) continue;
    u64 word = fused_word(name, instructions[i], instructions[i + 1]);
    instructions[i] = __builtin_bit_cast(Instruction, word);
    i += is_triple ? 2 : 1;
  }
}

// --- translation -----------------------------------------------------------------------------------------------------

class Decoder {
 public:
  explicit Decoder(Method* method) : method_(method), code_(method->code), length_(method->code_length) {}

  MethodCode* decode() {
    number_instructions();
    usize instruction_bytes = (instruction_count_ + 1) * sizeof(Instruction);
    void* memory = allocate(sizeof(MethodCode) + instruction_bytes + (instruction_count_ + 1) * sizeof(u16));
    result_ = new (memory) MethodCode{};
    result_->method = method_;
    result_->instruction_count = instruction_count_;
    instructions_ = result_->instructions();
    u16* bcis = reinterpret_cast<u16*>(reinterpret_cast<char*>(instructions_) + instruction_bytes);
    result_->bcis = bcis;
    result_->has_monitors = has_monitors_;
    checked_returns_ = has_monitors_ || method_->is_synchronized();
    u32 index = 0;
    for (u32 bci = 0; bci < length_; bci += bytecode::length_at(code_, bci, length_)) {
      bcis[index] = static_cast<u16>(bci);
      u64 word = translate(bci, index);
      instructions_[index] = __builtin_bit_cast(Instruction, word);
      ++index;
    }
    instructions_[index] = __builtin_bit_cast(Instruction, make_instruction(Operation::end_of_code));
    bcis[index] = static_cast<u16>(length_ - 1);
    if (method_->handler_count != 0) {
      result_->handler_starts = handler_starts();
      usize bytes = method_->handler_count * sizeof(std::atomic<u32>);
      result_->handler_entries = static_cast<std::atomic<u32>*>(memset(allocate(bytes), 0, bytes));
    }
    fuse(instructions_, instruction_count_);
    return result_;
  }

 private:
  void number_instructions() {
    if (length_ > sizeof(small_) / sizeof(small_[0])) {
      large_.resize(length_);
      instruction_at_bci_ = large_.data();
    }
    for (u32 bci = 0; bci < length_;) {
      u32 bytes = bytecode::length_at(code_, bci, length_);
      KEYHOLE_CHECK(bytes != 0, "malformed code in {} at bci {}", method_->external_name(), bci);
      if (code_[bci] == MONITORENTER || code_[bci] == MONITOREXIT) has_monitors_ = true;
      instruction_at_bci_[bci] = static_cast<u16>(instruction_count_++);
      bci += bytes;
    }
  }

  i32 distance(u32 target_bci, u32 index) const {
    return (static_cast<i32>(instruction_at_bci_[target_bci]) - static_cast<i32>(index)) *
           static_cast<i32>(sizeof(Instruction));
  }
  u64 branch(Operation forward, u32 bci, u32 index) const {
    i32 bytes = distance(bytecode::branch_target(code_, bci), index);
    return make_instruction(bytes > 0 ? forward : backward_of(forward), 0, bytes);
  }

  void* allocate(usize bytes) const {
    const InstanceKlass* holder = method_->holder;
    MutexLock guard(holder->loader->mutex);
    return holder->unit->arena.allocate(bytes);
  }

  const u16* handler_starts() const {
    auto* instructions = static_cast<u16*>(allocate(method_->handler_count * sizeof(u16)));
    for (u32 i = 0; i < method_->handler_count; ++i) {
      instructions[i] = static_cast<u16>(result_->instruction_at(method_->handlers[i].handler_bci) - instructions_);
    }
    return instructions;
  }

  u64 switch_word(u32 bci, u32 index) const {
    bytecode::Switch from(code_, bci);
    u32 count = from.count();
    bool backward = from.default_target() <= bci;
    for (u32 i = 0; i < count; ++i) backward |= from.target_at(i) <= bci;
    if (from.is_table()) {
      auto* table = static_cast<TableSwitch*>(allocate(sizeof(TableSwitch) + count * sizeof(i32)));
      table->low = from.low();
      table->count = count;
      table->default_distance = distance(from.default_target(), index);
      for (u32 i = 0; i < count; ++i) table->distances[i] = distance(from.target_at(i), index);
      return make_instruction(Operation::tableswitch, backward, metadata_distance(table));
    }
    auto* lookup = static_cast<LookupSwitch*>(allocate(sizeof(LookupSwitch) + count * sizeof(LookupSwitch::Pair)));
    lookup->count = count;
    lookup->default_distance = distance(from.default_target(), index);
    for (u32 i = 0; i < count; ++i) lookup->pairs[i] = {from.key(i), distance(from.target_at(i), index)};
    return make_instruction(Operation::lookupswitch, backward, metadata_distance(lookup));
  }

  u64 wide_constant(u64 bits) const {
    i64 value = static_cast<i64>(bits);
    if (value == static_cast<i32>(value)) return make_instruction(Operation::constant_wide, 0, static_cast<i32>(value));
    f64 number = __builtin_bit_cast(f64, bits);
    if (number >= -2147483648.0 && number <= 2147483647.0 &&
        __builtin_bit_cast(u64, static_cast<f64>(static_cast<i32>(number))) == bits) {
      return make_instruction(Operation::constant_double, 0, static_cast<i32>(number));
    }
    auto* holder = static_cast<u64*>(allocate(sizeof(u64)));
    *holder = bits;
    return make_instruction(Operation::constant_pool_wide, 0, metadata_distance(holder));
  }

  u64 constant(u32 bci) const {
    u32 index = bytecode::constant_index(code_, bci);
    switch (method_->constants->tag(index)) {
      case ConstantTag::Integer:
      case ConstantTag::Float: return make_instruction(Operation::constant, 0, method_->constants->integer(index));
      case ConstantTag::Long:
      case ConstantTag::Double: return wide_constant(static_cast<u64>(method_->constants->long_value(index)));
      default: return make_instruction(Operation::ldc_unresolved, 0, static_cast<i32>(index));
    }
  }

  u64 unresolved(Operation operation, u32 bci, u32 a = 0) const {
    return make_instruction(operation, a, static_cast<i32>(bytecode::constant_index(code_, bci)));
  }

  u64 returning(Opcode opcode) const {
    Operation operation;
    switch (opcode) {
      case LRETURN:
      case DRETURN: operation = Operation::return_wide; break;
      case RETURN:
        if (method_->is_initializer() && method_->holder->name == names::java_lang_Object) {
          return make_instruction(Operation::return_register_finalizer);
        }
        operation = Operation::return_void;
        break;
      case IRETURN:
        switch (method_->return_type) {  // JVMS 6.5.ireturn: the result is narrowed to the method's return type
          case BasicType::Boolean: operation = Operation::return_boolean; break;
          case BasicType::Byte: operation = Operation::return_byte; break;
          case BasicType::Char: operation = Operation::return_char; break;
          case BasicType::Short: operation = Operation::return_short; break;
          default: operation = Operation::return_value; break;
        }
        break;
      default: operation = Operation::return_value; break;
    }
    return make_instruction(checked_returns_ ? checked_of(operation) : operation);
  }

  u64 local(Operation operation, u32 bci) const {
    return make_instruction(operation, bytecode::local_index(code_, bci));
  }
  u64 increment(u32 bci) const {
    return make_instruction(Operation::iinc, bytecode::local_index(code_, bci), bytecode::immediate(code_, bci));
  }

  u64 translate(u32 bci, u32 index) const {
    Opcode opcode = bytecode::opcode_at(code_, bci);
    if (opcode == WIDE) {
      Opcode widened = bytecode::wide_opcode_at(code_, bci);
      return widened == IINC ? increment(bci) : local_access(widened, bci);
    }
    switch (opcode) {
      case NOP: return make_instruction(Operation::nop);
      case ACONST_NULL: return make_instruction(Operation::constant);
      case ICONST_M1:
      case ICONST_0:
      case ICONST_1:
      case ICONST_2:
      case ICONST_3:
      case ICONST_4:
      case ICONST_5:
      case BIPUSH:
      case SIPUSH: return make_instruction(Operation::constant, 0, bytecode::immediate(code_, bci));
      case LCONST_0:
      case LCONST_1: return make_instruction(Operation::constant_wide, 0, opcode - LCONST_0);
      case FCONST_0:
      case FCONST_1:
      case FCONST_2:
        return make_instruction(Operation::constant, 0, __builtin_bit_cast(i32, static_cast<f32>(opcode - FCONST_0)));
      case DCONST_0:
      case DCONST_1: return make_instruction(Operation::constant_double, 0, opcode - DCONST_0);
      case LDC:
      case LDC_W:
      case LDC2_W: return constant(bci);

      case ILOAD:
      case LLOAD:
      case FLOAD:
      case DLOAD:
      case ALOAD:
      case ILOAD_0:
      case ILOAD_1:
      case ILOAD_2:
      case ILOAD_3:
      case LLOAD_0:
      case LLOAD_1:
      case LLOAD_2:
      case LLOAD_3:
      case FLOAD_0:
      case FLOAD_1:
      case FLOAD_2:
      case FLOAD_3:
      case DLOAD_0:
      case DLOAD_1:
      case DLOAD_2:
      case DLOAD_3:
      case ALOAD_0:
      case ALOAD_1:
      case ALOAD_2:
      case ALOAD_3:
      case ISTORE:
      case LSTORE:
      case FSTORE:
      case DSTORE:
      case ASTORE:
      case ISTORE_0:
      case ISTORE_1:
      case ISTORE_2:
      case ISTORE_3:
      case LSTORE_0:
      case LSTORE_1:
      case LSTORE_2:
      case LSTORE_3:
      case FSTORE_0:
      case FSTORE_1:
      case FSTORE_2:
      case FSTORE_3:
      case DSTORE_0:
      case DSTORE_1:
      case DSTORE_2:
      case DSTORE_3:
      case ASTORE_0:
      case ASTORE_1:
      case ASTORE_2:
      case ASTORE_3:
      case RET: return local_access(opcode, bci);
      case IINC: return increment(bci);

      case IALOAD:
      case FALOAD: return make_instruction(Operation::iaload);
      case LALOAD:
      case DALOAD: return make_instruction(Operation::laload);
      case AALOAD: return make_instruction(Operation::aaload);
      case BALOAD: return make_instruction(Operation::baload);
      case CALOAD: return make_instruction(Operation::caload);
      case SALOAD: return make_instruction(Operation::saload);
      case IASTORE:
      case FASTORE: return make_instruction(Operation::iastore);
      case LASTORE:
      case DASTORE: return make_instruction(Operation::lastore);
      case AASTORE: return make_instruction(Operation::aastore);
      case BASTORE: return make_instruction(Operation::bastore);
      case CASTORE:
      case SASTORE: return make_instruction(Operation::castore);
      case ARRAYLENGTH: return make_instruction(Operation::arraylength);

      case POP: return make_instruction(Operation::pop);
      case POP2: return make_instruction(Operation::pop2);
      case DUP: return make_instruction(Operation::dup);
      case DUP_X1: return make_instruction(Operation::dup_x1);
      case DUP_X2: return make_instruction(Operation::dup_x2);
      case DUP2: return make_instruction(Operation::dup2);
      case DUP2_X1: return make_instruction(Operation::dup2_x1);
      case DUP2_X2: return make_instruction(Operation::dup2_x2);
      case SWAP:
        return make_instruction(Operation::swap);

        // The rows of operations.def that stand for a single bytecode.
#define OPERATION(...)
#define LOCKING_OPERATION(...)
#define SUPERINSTRUCTION(...)
#define BYTECODE_OPERATION(name, OPCODE, category) \
  case OPCODE: return make_instruction(Operation::name);
#define BRANCH_OPERATION(name, name_back, OPCODE) \
  case OPCODE: return branch(Operation::name, bci, index);
#include "vm/code/operations.def"
#undef OPERATION
      case GOTO_W: return branch(Operation::goto_, bci, index);
      case JSR:
      case JSR_W: {
        u32 return_bci = bci + bytecode::length_at(code_, bci, length_);
        return make_instruction(Operation::jsr, return_bci, distance(bytecode::branch_target(code_, bci), index));
      }
      case TABLESWITCH:
      case LOOKUPSWITCH: return switch_word(bci, index);

      case IRETURN:
      case LRETURN:
      case FRETURN:
      case DRETURN:
      case ARETURN:
      case RETURN: return returning(opcode);

      case GETSTATIC: return unresolved(Operation::getstatic_unresolved, bci);
      case PUTSTATIC: return unresolved(Operation::putstatic_unresolved, bci);
      case GETFIELD: return unresolved(Operation::getfield_unresolved, bci);
      case PUTFIELD: return unresolved(Operation::putfield_unresolved, bci);
      case INVOKEVIRTUAL: return unresolved(Operation::invokevirtual_unresolved, bci);
      case INVOKESPECIAL: return unresolved(Operation::invokespecial_unresolved, bci);
      case INVOKESTATIC: return unresolved(Operation::invokestatic_unresolved, bci);
      case INVOKEINTERFACE: return unresolved(Operation::invokeinterface_unresolved, bci);
      case INVOKEDYNAMIC: return unresolved(Operation::invokedynamic_unresolved, bci);

      case NEW: return unresolved(Operation::new_unresolved, bci);
      case NEWARRAY: {
        const Klass* klass = primitive_array_klass(static_cast<BasicType>(code_[bci + 1]));
        return make_instruction(Operation::newarray, klass->element_shift, static_cast<i32>(klass->id));
      }
      case ANEWARRAY: return unresolved(Operation::anewarray_unresolved, bci);
      case MULTIANEWARRAY: return unresolved(Operation::multianewarray, bci, code_[bci + 3]);
      case ATHROW: return make_instruction(Operation::athrow);
      case CHECKCAST: return unresolved(Operation::checkcast_unresolved, bci);
      case INSTANCEOF: return unresolved(Operation::instanceof_unresolved, bci);
      case MONITORENTER: return make_instruction(Operation::monitorenter);
      case MONITOREXIT: return make_instruction(Operation::monitorexit);
      case WIDE: break;
    }
    KEYHOLE_FATAL("no instruction: opcode {} in {}", static_cast<u32>(opcode), method_->external_name());
  }

  u64 local_access(Opcode opcode, u32 bci) const {
    if (opcode == RET) return local(Operation::ret, bci);
    if (opcode == LLOAD || opcode == DLOAD || (opcode >= LLOAD_0 && opcode <= LLOAD_3) ||
        (opcode >= DLOAD_0 && opcode <= DLOAD_3)) {
      return local(Operation::load_wide, bci);
    }
    if (opcode == LSTORE || opcode == DSTORE || (opcode >= LSTORE_0 && opcode <= LSTORE_3) ||
        (opcode >= DSTORE_0 && opcode <= DSTORE_3)) {
      return local(Operation::store_wide, bci);
    }
    return local(opcode <= ALOAD_3 ? Operation::load : Operation::store, bci);
  }

  Method* method_;
  const u8* code_;
  u32 length_;
  u32 instruction_count_ = 0;
  bool has_monitors_ = false;
  bool checked_returns_ = false;
  MethodCode* result_ = nullptr;
  Instruction* instructions_ = nullptr;
  u16 small_[512];
  std::vector<u16> large_;
  u16* instruction_at_bci_ = small_;
};

}  // namespace

MethodEntry entry_of_bytecode(const Method* method) {
  if (method->is_synchronized()) {
    const LockingHandlers& locking = locking_handlers(sync::fast_path());
    return as_method_entry(
        counted_entry(method->is_static() ? locking.entry_synchronized_static : locking.entry_synchronized));
  }
  if (method->is_initializer() && method->holder->name == names::java_lang_Object && method->code_length == 1) {
    return as_method_entry(interp_entry_object_initializer);
  }
  if (Handler intrinsic = intrinsic_entry_of(method)) return as_method_entry(intrinsic);
  return as_method_entry(counted_entry(interp_entry_interpreted));
}

MethodCode* prepare_bytecode(Method* method) {
  MethodCode* body = method->body.load(std::memory_order_acquire);
  if (body == nullptr) {
    MethodCode* made = Decoder(method).decode();
    start_counting(made);
    // If another thread has published its instructions first, this thread's instructions stay in the arena unused. That
    // case is rare, and no thread refers to unused instructions.
    if (method->body.compare_exchange_strong(body, made, std::memory_order_acq_rel)) body = made;
    method->entry.store(entry_of_bytecode(method), std::memory_order_release);
  }
  return body;
}

}  // namespace interpreter
}  // namespace keyhole
