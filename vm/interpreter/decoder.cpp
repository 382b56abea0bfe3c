// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// From bytecode to cells: one pass to number the instructions, one to translate them, one to find superinstructions.
//
// The class file parser and the verifier have been here before: every instruction is whole, every branch hits one.
#include "vm/interpreter/decoder.h"

#include <algorithm>
#include <array>
#include <vector>

#include "runtime/base/mutex.h"
#include "runtime/sync/synchronizer.h"
#include "vm/bytecodes.h"
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/intrinsics.h"
#include "vm/interpreter/locking_handlers.h"
#include "vm/link/linker.h"

namespace keyhole {

const Cell* MethodCode::cell_of(u32 bci) const {
  const u16* found = std::lower_bound(bcis, bcis + cell_count, static_cast<u16>(bci));
  KEYHOLE_ASSERT(found != bcis + cell_count && *found == bci, "no instruction at bci {}", bci);
  return cells() + (found - bcis);
}

u32 MethodCode::index_of_call_site(const Cell* cell) const {
  for (const CompiledCode* code = compiled.load(std::memory_order_acquire); code != nullptr; code = code->previous) {
    u64 distance = reinterpret_cast<uptr>(cell) - reinterpret_cast<uptr>(code->sites);
    if (distance < code->site_count * sizeof(CompiledCallSite)) return code->site_cells[distance / sizeof(CompiledCallSite)];
  }
  KEYHOLE_FATAL("no cell of {}: {}", method->external_name(), static_cast<const void*>(cell));
}

namespace interpreter {

extern u32 boolean_array_klass_id;   // handlers_arrays.cpp

namespace {

constexpr u32 operation_count = static_cast<u32>(Operation::count);
constexpr u32 index_of(Operation operation) { return static_cast<u32>(operation); }

// --- superinstructions ---------------------------------------------------------------------------------------------------

// By the operation that decides last; `nop` = none.
using Fusions = std::array<Operation, operation_count>;

constexpr Fusions fusions_after(Operation only_first) {
  Fusions table{};
#define SUPER2(name, first, second) if (Operation::first == only_first) table[index_of(Operation::second)] = Operation::name;
#define SUPER3(name, first, second, third)
#include "vm/interpreter/superinstructions.def"
#undef SUPER2
#undef SUPER3
  return table;
}
constexpr Fusions fusions_after(Operation only_first, Operation only_second) {
  Fusions table{};
#define SUPER2(name, first, second)
#define SUPER3(name, first, second, third) \
  if (Operation::first == only_first && Operation::second == only_second) table[index_of(Operation::third)] = Operation::name;
#include "vm/interpreter/superinstructions.def"
#undef SUPER2
#undef SUPER3
  return table;
}
static_assert(index_of(Operation::nop) == 0);
constexpr Fusions after_load = fusions_after(Operation::load), after_constant = fusions_after(Operation::constant),
                  after_iinc = fusions_after(Operation::iinc), after_iadd = fusions_after(Operation::iadd),
                  after_store = fusions_after(Operation::store), after_load_wide = fusions_after(Operation::load_wide),
                  after_load_load = fusions_after(Operation::load, Operation::load),
                  after_load_constant = fusions_after(Operation::load, Operation::constant);

// The first cell of a run with what it must know of the second.
u64 fused_word(Operation name, const Cell& first, const Cell& second) {
  switch (static_cast<Operation>(second.operation)) {
    case Operation::load: case Operation::load_wide: case Operation::store: {
      Operation leader = static_cast<Operation>(first.operation);
      bool a_is_taken = leader == Operation::load || leader == Operation::load_wide;
      return a_is_taken ? make_cell(name, first.a, second.a) : make_cell(name, second.a, first.b);
    }
    case Operation::constant:
    case Operation::ifeq: case Operation::ifne: case Operation::iflt: case Operation::ifge: case Operation::ifgt: case Operation::ifle:
    case Operation::ifnull: case Operation::ifnonnull:
      return make_cell(name, first.a, second.b);
    default:
      return make_cell(name, first.a, first.b);
  }
}

void fuse(Cell* cells, u32 count) {
  for (u32 i = 0; i + 1 < count; ++i) {
    const Fusions* pairs;
    switch (static_cast<Operation>(cells[i].operation)) {
      case Operation::load: pairs = &after_load; break;
      case Operation::constant: pairs = &after_constant; break;
      case Operation::iinc: pairs = &after_iinc; break;
      case Operation::iadd: pairs = &after_iadd; break;
      case Operation::store: pairs = &after_store; break;
      case Operation::load_wide: pairs = &after_load_wide; break;
      default: continue;
    }
    Operation second = static_cast<Operation>(cells[i + 1].operation);
    Operation third = i + 2 < count ? static_cast<Operation>(cells[i + 2].operation) : Operation::nop;
    Operation name = Operation::nop;
    u32 length = 3;
    if (pairs == &after_load && second == Operation::load) {
      // The second load will be fused with its getfield.
      if (third == Operation::getfield_unresolved) continue;
      name = after_load_load[index_of(third)];
    } else if (pairs == &after_load && second == Operation::constant) {
      name = after_load_constant[index_of(third)];
    }
    if (name == Operation::nop) {
      name = (*pairs)[index_of(second)];
      length = 2;
    }
    if (name == Operation::nop) continue;
    u64 word = fused_word(name, cells[i], cells[i + 1]);
    cells[i] = __builtin_bit_cast(Cell, word);
    i += length - 1;
  }
}

// --- translation ---------------------------------------------------------------------------------------------------------

class Decoder {
 public:
  explicit Decoder(Method* method) : method_(method), code_(method->code), length_(method->code_length) {}

  MethodCode* decode() {
    number_instructions();
    usize cell_bytes = (cell_count_ + 1) * sizeof(Cell);
    void* memory = allocate(sizeof(MethodCode) + cell_bytes + (cell_count_ + 1) * sizeof(u16));
    result_ = new (memory) MethodCode{};
    result_->method = method_;
    result_->cell_count = cell_count_;
    cells_ = result_->cells();
    u16* bcis = reinterpret_cast<u16*>(reinterpret_cast<char*>(cells_) + cell_bytes);
    result_->bcis = bcis;
    result_->has_monitors = has_monitors_;
    checked_returns_ = has_monitors_ || method_->is_synchronized();
    u32 index = 0;
    for (u32 bci = 0; bci < length_; bci += bytecode::length_at(code_, bci, length_)) {
      bcis[index] = static_cast<u16>(bci);
      u64 word = translate(bci, index);
      cells_[index] = __builtin_bit_cast(Cell, word);
      ++index;
    }
    cells_[index] = __builtin_bit_cast(Cell, make_cell(Operation::end_of_code));
    bcis[index] = static_cast<u16>(length_ - 1);
    if (method_->handler_count != 0) result_->handler_cells = handler_cells();
    fuse(cells_, cell_count_);
    return result_;
  }

 private:
  void number_instructions() {
    if (length_ > sizeof(small_) / sizeof(small_[0])) {
      large_.resize(length_);
      cell_of_bci_ = large_.data();
    }
    for (u32 bci = 0; bci < length_;) {
      u32 bytes = bytecode::length_at(code_, bci, length_);
      KEYHOLE_CHECK(bytes != 0, "malformed code in {} at bci {}", method_->external_name(), bci);
      if (code_[bci] == MONITORENTER || code_[bci] == MONITOREXIT) has_monitors_ = true;
      cell_of_bci_[bci] = static_cast<u16>(cell_count_++);
      bci += bytes;
    }
  }

  i32 distance(u32 target_bci, u32 index) const {
    return (static_cast<i32>(cell_of_bci_[target_bci]) - static_cast<i32>(index)) * static_cast<i32>(sizeof(Cell));
  }
  u64 branch(Operation forward, u32 bci, u32 index) const {
    i32 bytes = distance(bytecode::branch_target(code_, bci), index);
    constexpr u32 to_backward = index_of(Operation::ifeq_back) - index_of(Operation::ifeq);
    static_assert(index_of(Operation::goto_back) - index_of(Operation::goto_) == to_backward);
    Operation operation = bytes > 0 ? forward : static_cast<Operation>(index_of(forward) + to_backward);
    return make_cell(operation, 0, bytes);
  }
  u64 comparison(Operation first, Opcode first_opcode, u32 bci, u32 index) const {
    return branch(static_cast<Operation>(index_of(first) + code_[bci] - first_opcode), bci, index);
  }

  void* allocate(usize bytes) const {
    const InstanceKlass* holder = method_->holder;
    MutexLock guard(holder->loader->mutex);
    return holder->unit->arena.allocate(bytes);
  }

  const u16* handler_cells() const {
    auto* cells = static_cast<u16*>(allocate(method_->handler_count * sizeof(u16)));
    for (u32 i = 0; i < method_->handler_count; ++i) {
      cells[i] = static_cast<u16>(result_->cell_of(method_->handlers[i].handler_bci) - cells_);
    }
    return cells;
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
      return make_cell(Operation::tableswitch, backward, metadata_distance(table));
    }
    auto* lookup = static_cast<LookupSwitch*>(allocate(sizeof(LookupSwitch) + count * sizeof(LookupSwitch::Pair)));
    lookup->count = count;
    lookup->default_distance = distance(from.default_target(), index);
    for (u32 i = 0; i < count; ++i) lookup->pairs[i] = {from.key(i), distance(from.target_at(i), index)};
    return make_cell(Operation::lookupswitch, backward, metadata_distance(lookup));
  }

  u64 wide_constant(u64 bits) const {
    i64 value = static_cast<i64>(bits);
    if (value == static_cast<i32>(value)) return make_cell(Operation::constant_wide, 0, static_cast<i32>(value));
    f64 number = __builtin_bit_cast(f64, bits);
    if (number >= -2147483648.0 && number <= 2147483647.0 &&
        __builtin_bit_cast(u64, static_cast<f64>(static_cast<i32>(number))) == bits) {
      return make_cell(Operation::constant_double, 0, static_cast<i32>(number));
    }
    auto* holder = static_cast<u64*>(allocate(sizeof(u64)));
    *holder = bits;
    return make_cell(Operation::constant_pool_wide, 0, metadata_distance(holder));
  }

  u64 constant(u32 bci) const {
    u32 index = bytecode::constant_index(code_, bci);
    switch (method_->constants->tag(index)) {
      case ConstantTag::Integer: case ConstantTag::Float:
        return make_cell(Operation::constant, 0, method_->constants->integer(index));
      case ConstantTag::Long: case ConstantTag::Double:
        return wide_constant(static_cast<u64>(method_->constants->long_value(index)));
      default: return make_cell(Operation::ldc_unresolved, 0, static_cast<i32>(index));
    }
  }

  u64 unresolved(Operation operation, u32 bci, u32 a = 0) const {
    return make_cell(operation, a, static_cast<i32>(bytecode::constant_index(code_, bci)));
  }

  u64 returning(Opcode opcode) const {
    Operation operation;
    switch (opcode) {
      case LRETURN: case DRETURN: operation = Operation::return_wide; break;
      case RETURN:
        if (method_->is_initializer() && method_->holder->name == names::java_lang_Object) {
          return make_cell(Operation::return_register_finalizer);
        }
        operation = Operation::return_void;
        break;
      case IRETURN:
        switch (method_->return_type) {   // JVMS 6.5.ireturn: the caller gets a value of that type
          case BasicType::Boolean: operation = Operation::return_boolean; break;
          case BasicType::Byte: operation = Operation::return_byte; break;
          case BasicType::Char: operation = Operation::return_char; break;
          case BasicType::Short: operation = Operation::return_short; break;
          default: operation = Operation::return_value; break;
        }
        break;
      default: operation = Operation::return_value; break;
    }
    constexpr u32 to_checked = index_of(Operation::return_value_checked) - index_of(Operation::return_value);
    static_assert(index_of(Operation::return_void_checked) - index_of(Operation::return_void) == to_checked);
    return make_cell(checked_returns_ ? static_cast<Operation>(index_of(operation) + to_checked) : operation);
  }

  u64 local(Operation operation, u32 bci) const { return make_cell(operation, bytecode::local_index(code_, bci)); }
  u64 increment(u32 bci) const {
    return make_cell(Operation::iinc, bytecode::local_index(code_, bci), bytecode::immediate(code_, bci));
  }

  u64 translate(u32 bci, u32 index) const {
    Opcode opcode = bytecode::opcode_at(code_, bci);
    if (opcode == WIDE) {
      Opcode widened = bytecode::wide_opcode_at(code_, bci);
      return widened == IINC ? increment(bci) : local_access(widened, bci);
    }
    switch (opcode) {
      case NOP: return make_cell(Operation::nop);
      case ACONST_NULL: return make_cell(Operation::constant);
      case ICONST_M1: case ICONST_0: case ICONST_1: case ICONST_2: case ICONST_3: case ICONST_4: case ICONST_5:
      case BIPUSH: case SIPUSH:
        return make_cell(Operation::constant, 0, bytecode::immediate(code_, bci));
      case LCONST_0: case LCONST_1: return make_cell(Operation::constant_wide, 0, opcode - LCONST_0);
      case FCONST_0: case FCONST_1: case FCONST_2:
        return make_cell(Operation::constant, 0, __builtin_bit_cast(i32, static_cast<f32>(opcode - FCONST_0)));
      case DCONST_0: case DCONST_1: return make_cell(Operation::constant_double, 0, opcode - DCONST_0);
      case LDC: case LDC_W: case LDC2_W: return constant(bci);

      case ILOAD: case LLOAD: case FLOAD: case DLOAD: case ALOAD:
      case ILOAD_0: case ILOAD_1: case ILOAD_2: case ILOAD_3: case LLOAD_0: case LLOAD_1: case LLOAD_2: case LLOAD_3:
      case FLOAD_0: case FLOAD_1: case FLOAD_2: case FLOAD_3: case DLOAD_0: case DLOAD_1: case DLOAD_2: case DLOAD_3:
      case ALOAD_0: case ALOAD_1: case ALOAD_2: case ALOAD_3:
      case ISTORE: case LSTORE: case FSTORE: case DSTORE: case ASTORE:
      case ISTORE_0: case ISTORE_1: case ISTORE_2: case ISTORE_3: case LSTORE_0: case LSTORE_1: case LSTORE_2: case LSTORE_3:
      case FSTORE_0: case FSTORE_1: case FSTORE_2: case FSTORE_3: case DSTORE_0: case DSTORE_1: case DSTORE_2: case DSTORE_3:
      case ASTORE_0: case ASTORE_1: case ASTORE_2: case ASTORE_3:
      case RET:
        return local_access(opcode, bci);
      case IINC: return increment(bci);

      case IALOAD: case FALOAD: return make_cell(Operation::iaload);
      case LALOAD: case DALOAD: return make_cell(Operation::laload);
      case AALOAD: return make_cell(Operation::aaload);
      case BALOAD: return make_cell(Operation::baload);
      case CALOAD: return make_cell(Operation::caload);
      case SALOAD: return make_cell(Operation::saload);
      case IASTORE: case FASTORE: return make_cell(Operation::iastore);
      case LASTORE: case DASTORE: return make_cell(Operation::lastore);
      case AASTORE: return make_cell(Operation::aastore);
      case BASTORE:
        boolean_array_klass_id = primitive_array_klass(BasicType::Boolean)->id;
        return make_cell(Operation::bastore);
      case CASTORE: case SASTORE: return make_cell(Operation::castore);
      case ARRAYLENGTH: return make_cell(Operation::arraylength);

      case POP: return make_cell(Operation::pop);
      case POP2: return make_cell(Operation::pop2);
      case DUP: return make_cell(Operation::dup);
      case DUP_X1: return make_cell(Operation::dup_x1);
      case DUP_X2: return make_cell(Operation::dup_x2);
      case DUP2: return make_cell(Operation::dup2);
      case DUP2_X1: return make_cell(Operation::dup2_x1);
      case DUP2_X2: return make_cell(Operation::dup2_x2);
      case SWAP: return make_cell(Operation::swap);

#define SAME(OPCODE, operation) case OPCODE: return make_cell(Operation::operation);
      SAME(IADD, iadd) SAME(LADD, ladd) SAME(FADD, fadd) SAME(DADD, dadd) SAME(ISUB, isub) SAME(LSUB, lsub) SAME(FSUB, fsub)
      SAME(DSUB, dsub) SAME(IMUL, imul) SAME(LMUL, lmul) SAME(FMUL, fmul) SAME(DMUL, dmul) SAME(IDIV, idiv) SAME(LDIV, ldiv)
      SAME(FDIV, fdiv) SAME(DDIV, ddiv) SAME(IREM, irem) SAME(LREM, lrem) SAME(FREM, frem) SAME(DREM, drem) SAME(INEG, ineg)
      SAME(LNEG, lneg) SAME(FNEG, fneg) SAME(DNEG, dneg) SAME(ISHL, ishl) SAME(LSHL, lshl) SAME(ISHR, ishr) SAME(LSHR, lshr)
      SAME(IUSHR, iushr) SAME(LUSHR, lushr) SAME(IAND, iand) SAME(LAND, land) SAME(IOR, ior) SAME(LOR, lor) SAME(IXOR, ixor)
      SAME(LXOR, lxor) SAME(I2L, i2l) SAME(I2F, i2f) SAME(I2D, i2d) SAME(L2I, l2i) SAME(L2F, l2f) SAME(L2D, l2d) SAME(F2I, f2i)
      SAME(F2L, f2l) SAME(F2D, f2d) SAME(D2I, d2i) SAME(D2L, d2l) SAME(D2F, d2f) SAME(I2B, i2b) SAME(I2C, i2c) SAME(I2S, i2s)
      SAME(LCMP, lcmp) SAME(FCMPL, fcmpl) SAME(FCMPG, fcmpg) SAME(DCMPL, dcmpl) SAME(DCMPG, dcmpg)
#undef SAME

      case IFEQ: case IFNE: case IFLT: case IFGE: case IFGT: case IFLE: return comparison(Operation::ifeq, IFEQ, bci, index);
      case IF_ICMPEQ: case IF_ICMPNE: case IF_ICMPLT: case IF_ICMPGE: case IF_ICMPGT: case IF_ICMPLE:
      case IF_ACMPEQ: case IF_ACMPNE:
        return comparison(Operation::if_icmpeq, IF_ICMPEQ, bci, index);
      case IFNULL: case IFNONNULL: return comparison(Operation::ifnull, IFNULL, bci, index);
      case GOTO: case GOTO_W: return branch(Operation::goto_, bci, index);
      case JSR: case JSR_W: {
        u32 return_bci = bci + bytecode::length_at(code_, bci, length_);
        return make_cell(Operation::jsr, return_bci, distance(bytecode::branch_target(code_, bci), index));
      }
      case TABLESWITCH: case LOOKUPSWITCH: return switch_word(bci, index);

      case IRETURN: case LRETURN: case FRETURN: case DRETURN: case ARETURN: case RETURN: return returning(opcode);

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
        return make_cell(Operation::newarray, klass->element_shift, static_cast<i32>(klass->id));
      }
      case ANEWARRAY: return unresolved(Operation::anewarray_unresolved, bci);
      case MULTIANEWARRAY: return unresolved(Operation::multianewarray, bci, code_[bci + 3]);
      case ATHROW: return make_cell(Operation::athrow);
      case CHECKCAST: return unresolved(Operation::checkcast_unresolved, bci);
      case INSTANCEOF: return unresolved(Operation::instanceof_unresolved, bci);
      case MONITORENTER: return make_cell(Operation::monitorenter);
      case MONITOREXIT: return make_cell(Operation::monitorexit);
      case WIDE: break;
    }
    KEYHOLE_FATAL("no instruction: opcode {} in {}", static_cast<u32>(opcode), method_->external_name());
  }

  u64 local_access(Opcode opcode, u32 bci) const {
    if (opcode == RET) return local(Operation::ret, bci);
    if (opcode == LLOAD || opcode == DLOAD || (opcode >= LLOAD_0 && opcode <= LLOAD_3) || (opcode >= DLOAD_0 && opcode <= DLOAD_3)) {
      return local(Operation::load_wide, bci);
    }
    if (opcode == LSTORE || opcode == DSTORE || (opcode >= LSTORE_0 && opcode <= LSTORE_3) || (opcode >= DSTORE_0 && opcode <= DSTORE_3)) {
      return local(Operation::store_wide, bci);
    }
    return local(opcode <= ALOAD_3 ? Operation::load : Operation::store, bci);
  }

  Method* method_;
  const u8* code_;
  u32 length_;
  u32 cell_count_ = 0;
  bool has_monitors_ = false;
  bool checked_returns_ = false;
  MethodCode* result_ = nullptr;
  Cell* cells_ = nullptr;
  u16 small_[512];
  std::vector<u16> large_;
  u16* cell_of_bci_ = small_;
};

}  // namespace

MethodEntry entry_of_bytecode(const Method* method) {
  if (method->is_synchronized()) {
    const LockingHandlers& locking = locking_handlers(sync::fast_path());
    return as_method_entry(counted_entry(method->is_static() ? locking.entry_synchronized_static : locking.entry_synchronized));
  }
  if (method->is_initializer() && method->holder->name == names::java_lang_Object && method->code_length == 1) {
    return as_method_entry(interp_entry_object_initializer);
  }
  if (Handler intrinsic = find_intrinsic(method)) return as_method_entry(intrinsic);
  return as_method_entry(counted_entry(interp_entry_interpreted));
}

MethodCode* prepare_bytecode(Method* method) {
  MethodCode* body = method->body.load(std::memory_order_acquire);
  if (body == nullptr) {
    MethodCode* made = Decoder(method).decode();
    start_counting(made);
    // A thread that lost leaves its cells in the arena: rare, and nobody has seen them.
    if (method->body.compare_exchange_strong(body, made, std::memory_order_acq_rel)) body = made;
    method->entry.store(entry_of_bytecode(method), std::memory_order_release);
  }
  return body;
}

}  // namespace interpreter
}  // namespace keyhole
