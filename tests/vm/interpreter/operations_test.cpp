// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the columns of vm/code/operations.def against the behaviour of the handlers.
//
//   values     constants, locals, shuffles, arithmetic, branches, superinstructions of them: alone, on random operands
//   memory     array elements and fields: alone, on memory whose bytes are changed one by one
//   vectors    everything that bytecode_vectors.h executes: each step of each frame (step_observer.h)
//
// Each check is also given columns that are wrong, one at a time, and must refuse them.
#include "vm/code/operations.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "gc/heap/heap.h"
#include "tests/vm/interpreter/single_instruction.h"
#include "tests/vm/interpreter/step_observer.h"

namespace keyhole {
namespace {

using namespace interpreter;
using testing::Columns;
using testing::columns_of;
using testing::InstructionState;
using testing::SingleInstruction;

constexpr const char* null_pointer = "java/lang/NullPointerException";

template <typename Check> void for_each_operation(Check&& check) {
  for (u32 i = 0; i < operation_count; ++i) check(operation_at(i));
}

class OperationColumns : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_NE(testing::vector_class(), nullptr); }

  // `check` must accept the operation's columns of operations.def, and reject each version with one wrong column.
  template <typename Check> static void expect_sensitive(Operation operation, u32 toggled_effects, Check&& check) {
    Columns columns = columns_of(operation);
    EXPECT_EQ(check(operation, columns), "") << name_of(operation);
    auto expect_refused = [&](Columns wrong, const std::string& what) {
      EXPECT_NE(check(operation, wrong), "") << name_of(operation) << " with " << what;
    };
    ++columns.pops;
    expect_refused(columns, "one more slot popped");
    columns = columns_of(operation);
    ++columns.pushes;
    expect_refused(columns, "one more slot pushed");
    for (u32 bit = 0; bit < 32; ++bit) {
      columns = columns_of(operation);
      columns.effects ^= u32{1} << bit;
      if ((toggled_effects >> bit & 1) != 0) expect_refused(columns, fmt::format("effect bit {}", bit));
    }
  }
};

// --- values ----------------------------------------------------------------------------------------------------------

bool is_alone(Operation operation) {  // whether the operation needs only operands, locals and its instruction
  switch (row(operation).category) {
    case Category::constant: return operation != Operation::constant_object;
    case Category::local:
    case Category::shuffle:
    case Category::arithmetic: return true;
    case Category::branch: return is_branch(operation);
    case Category::superinstruction: {
      const Parts& run = parts_of(operation);
      return std::all_of(run.parts, run.parts + run.count, is_alone);
    }
    default: return false;
  }
}

// Returns a description of an error in the operation's columns, or an empty text if they are right.
std::string complaint_about_values(Operation operation, const Columns& columns) {
  SingleInstruction machine(testing::vm_thread());
  std::mt19937_64 random(index_of(operation));
  constexpr i32 ahead = 3;
  // Zero and one are frequent values, so that divisions by zero and both outcomes of conditions occur.
  auto value = [&] { return random() % 3 != 0 ? random() : random() % 2; };
  auto state = [&] {
    InstructionState made{std::vector<Slot>(10), std::vector<Slot>(32)};
    for (Slot& slot : made.operands) slot = value();
    for (Slot& slot : made.locals) slot = value();
    // Many values are equal to each other, or to operand b of the instruction.
    if (random() % 4 == 0) made.operands[9] = made.operands[8], made.locals[3] = made.locals[24];
    else if (random() % 4 == 0) made.locals[3] = ahead * sizeof(Instruction);
    return made;
  };
  bool backward = has(operation, effect::backward);  // whether the decoder chooses this operation for backward branches
  i32 distance = (backward ? -ahead : ahead) * static_cast<i32>(sizeof(Instruction));
  u32 length = std::max(parts_of(operation).count, 1u);
  bool plain_branch = row(operation).category == Category::branch;
  // In a superinstruction, operand b is the index of a local, so only a branch has a negative operand b.
  bool names_metadata = operation == Operation::constant_pool_wide || operation == Operation::constant_mirror;
  i32 b = names_metadata ? metadata_distance(testing::vector_class())
          : plain_branch ? distance
                         : ahead * static_cast<i32>(sizeof(Instruction));
  u64 word = make_instruction(operation, 3, b);
  u32 seen = 0;
  bool fell_through = false, passes_deepest = true;
  for (u32 trial = 0; trial < 200; ++trial) {
    InstructionState before = state();
    InstructionState after = machine.run(word, before, distance);
    if (!after.exception.empty()) {
      seen |= after.exception == null_pointer ? effect::throws_null : effect::throws;
      continue;
    }
    usize kept = before.operands.size() - columns.pops;
    if (after.operands.size() != kept + columns.pushes) return "moves the stack in another way";
    for (usize i = 0; i < kept; ++i) {
      if (after.operands[i] != before.operands[i]) return "changes operands below what it pops";
    }
    bool replaces = columns.pushes != 0 && columns.pops != 0;
    if (replaces && after.operands[kept] != before.operands[kept]) passes_deepest = false;
    if (row(operation).category == Category::shuffle) {
      for (u32 i = 0; i < columns.pushes && i < row(operation).pushes.size(); ++i) {
        usize from_top = static_cast<usize>(row(operation).pushes[i] - 'A');
        Slot named = before.operands[before.operands.size() - 1 - from_top];
        if (after.operands[kept + i] != named) return "shuffles in another way";
      }
    }
    i64 target = static_cast<i64>(length) - 1 + (backward ? -ahead : ahead);  // from the last part
    if (after.instructions == static_cast<i64>(length)) fell_through = true;
    else if (after.instructions == target) seen |= effect::branches | (backward ? effect::backward : 0);
    else return "goes on elsewhere";
    // The instruction runs again with the same state, and must give the same result. Then the instruction runs with
    // other locals. If the values that it pushes or stores differ, the instruction has read locals.
    InstructionState again = machine.run(word, before, distance);
    bool is_same = again.operands == after.operands && again.locals == after.locals;
    if ((columns.effects & effect::pure) != 0 && !is_same) return "is not pure";
    InstructionState other = before;
    for (Slot& slot : other.locals) slot = value();
    InstructionState elsewhere = machine.run(word, other, distance);
    if (elsewhere.instructions != after.instructions) seen |= effect::reads_local;
    for (usize i = kept; i < after.operands.size() && columns.pushes != 0; ++i) {
      if (elsewhere.operands[i] != after.operands[i]) seen |= effect::reads_local;
    }
    for (usize i = 0; i < after.locals.size(); ++i) {
      if (after.locals[i] == before.locals[i]) continue;
      seen |= effect::writes_local;
      if (elsewhere.locals[i] != after.locals[i]) seen |= effect::reads_local;
    }
  }
  constexpr u32 compared = effect::throws | effect::throws_null | effect::branches | effect::backward |
                           effect::reads_local | effect::writes_local;
  u32 said = columns.effects & compared;
  if (said != seen) return fmt::format("has effects {:#x}, says {:#x}", seen, said);
  if (fell_through == ((columns.effects & effect::ends_block) != 0)) return "goes on, or does not, behind itself";
  bool is_untyped = row(operation).category == Category::shuffle || is_superinstruction(operation);
  if (columns.pops == 0 || columns.pushes == 0 || is_untyped) return "";
  // No operation reads the lower slot of an operand with two slots.
  bool is_wide = slots_of(row(operation).pops.substr(0, 1)) == 2;
  if (passes_deepest && !is_wide) return "does not use the deepest operand";
  return "";
}

TEST_F(OperationColumns, OfValuesAreWhatHandlersDo) {
  u32 checked = 0;
  for_each_operation([&](Operation operation) {
    if (!is_alone(operation)) return;
    ++checked;
    constexpr u32 toggled = effect::throws | effect::branches | effect::backward | effect::reads_local |
                            effect::writes_local | effect::ends_block;
    expect_sensitive(operation, toggled, complaint_about_values);
  });
  EXPECT_GT(checked, 150u);
}

// --- memory ----------------------------------------------------------------------------------------------------------

constexpr u32 bytes_of(char type) {
  switch (type) {
    case 'B':
    case 'Z': return 1;
    case 'C':
    case 'S': return 2;
    case 'I':
    case 'A': return 4;
    case 'J': return 8;
    default: return 0;
  }
}

// The memory of one field or array element, with unused bytes before and after it.
struct Place {
  u8* bytes;  // `around` of them
  u32 begin;  // the index in `bytes` at which the field or element begins
  static constexpr u32 around = 24;
};

std::string complaint_about_memory(Operation operation, const Columns& columns) {
  JavaThread* thread = testing::vm_thread();
  SingleInstruction machine(thread);
  Category category = row(operation).category;
  u32 size = std::max(bytes_of(columns.type), 1u);
  // long[64]: the tested operations access its elements. A reference among the elements refers to the array itself, or
  // is null.
  HandleScope scope(thread);
  Handle array = scope.make(heap::allocate_array(thread, primitive_array_klass(BasicType::Long), 64));
  const Field* field = testing::vector_class()->find_declared_field(Symbol::intern("sl"), Symbol::intern("J"));
  Klass* holder = testing::vector_class();
  bool is_store = columns.pushes == 0, is_static = category == Category::static_field;
  u32 index = 40;  // lies within the array for every element type
  auto run = [&](Slot object, Slot position, Slot value) {
    InstructionState state{std::vector<Slot>(8), std::vector<Slot>(4)};
    auto put = [&](Slot slot, u32 slots) { state.operands.insert(state.operands.end(), slots, slot); };
    u64 word = make_instruction(operation, 0, static_cast<i32>(layout::array_base_offset(3) + 64));
    u32 operands = 0;
    if (is_static) word = make_instruction(operation, field->offset, metadata_distance(holder));
    else put(object, 1), ++operands;
    if (category == Category::array && operation != Operation::arraylength) put(position, 1), ++operands;
    if (is_store) put(value, columns.pops - std::min(columns.pops, operands));
    return machine.run(word, state);
  };
  auto object = [&] { return to_slot(array.get()); };
  bool is_reference = row(operation).type == 'A';  // not taken from `columns`, which some tests make wrong on purpose
  Slot stored = is_reference ? 0 : ~Slot{0};
  auto place = [&] {
    if (is_static) return Place{reinterpret_cast<u8*>(holder->mirror) + field->offset - 8, 8};
    u32 offset = static_cast<u32>(layout::array_base_offset(3) + 64);
    if (category == Category::array) {
      offset = static_cast<u32>(Object::element_offset(static_cast<u32>(__builtin_ctz(size)), index));
    }
    return Place{reinterpret_cast<u8*>(array.get()) + offset - 8, 8};
  };
  auto fill = [&] {  // fills the field or element with a valid value that differs from the value to store
    Place at = place();
    u32 reference = encode(array.get());
    if (!is_static) memset(at.bytes, 0, Place::around);
    else memset(at.bytes + at.begin, 0, 8);
    if (is_reference) memcpy(at.bytes + at.begin, &reference, sizeof(reference));
  };
  u32 seen = 0;
  fill();
  std::vector<u8> bytes_before(place().bytes, place().bytes + Place::around);
  InstructionState after = run(object(), index, stored);
  if (!after.exception.empty()) return "throws " + after.exception;
  if (after.operands.size() != 8 + columns.pushes) return "moves the stack in another way";
  std::vector<u8> bytes_after(place().bytes, place().bytes + Place::around);
  u32 changed_bytes = 0;
  for (u32 i = 0; i < Place::around; ++i) {
    if (bytes_before[i] == bytes_after[i]) continue;
    if (i < 8 || i >= 8 + bytes_of(columns.type)) return "writes beside its place";
    ++changed_bytes;
  }
  if (changed_bytes != 0) seen |= effect::writes;
  // Changes one byte of memory at a time. If the loaded value changes, the operation reads this byte.
  u32 read_bytes = 0;
  for (u32 i = 0; i < 8 && !is_store; ++i) {
    fill();
    InstructionState plain = run(object(), index, 0);
    place().bytes[place().begin + i] ^= 1;
    InstructionState other = run(object(), index, 0);
    place().bytes[place().begin + i] ^= 1;
    if (plain.operands.back() == other.operands.back()) continue;
    if (i >= bytes_of(columns.type)) return "reads beside its place";
    ++read_bytes;
  }
  if (read_bytes != 0) seen |= effect::reads;
  u32 width = is_store ? changed_bytes : read_bytes;
  bool has_width = columns.type != '-' && columns.type != 'A';
  if (has_width && width != bytes_of(columns.type)) return fmt::format("accesses {} bytes", width);
  // The operation must throw for a null reference, and for an index beyond the end of the array.
  if (!is_static && run(0, index, stored).exception == null_pointer) seen |= effect::throws_null;
  if (category == Category::array && !run(object(), 1u << 20, stored).exception.empty()) seen |= effect::throws;
  u32 said = columns.effects & (effect::throws | effect::throws_null | effect::reads | effect::writes);
  if (said != seen) return fmt::format("has effects {:#x}, says {:#x}", seen, said);
  return "";
}

bool accesses_memory(Operation operation) {
  switch (row(operation).category) {
    case Category::array:
    case Category::field:
    case Category::static_field: return row(operation).type != '*';
    default: return false;
  }
}

TEST_F(OperationColumns, OfMemoryAreWhatHandlersDo) {
  u32 checked = 0;
  for_each_operation([&](Operation operation) {
    if (!accesses_memory(operation)) return;
    ++checked;
    EXPECT_EQ(complaint_about_memory(operation, columns_of(operation)), "") << name_of(operation);
    for (u32 wrong_effect : {effect::throws, effect::throws_null, effect::reads, effect::writes}) {
      Columns wrong = columns_of(operation);
      wrong.effects ^= wrong_effect;
      EXPECT_NE(complaint_about_memory(operation, wrong), "") << name_of(operation) << " with effect " << wrong_effect;
    }
    for (char type : {'B', 'S', 'I', 'J'}) {
      Columns wrong = columns_of(operation);
      if (bytes_of(type) == bytes_of(wrong.type)) continue;
      wrong.type = type;
      EXPECT_NE(complaint_about_memory(operation, wrong), "") << name_of(operation) << " of " << type;
    }
    // The execution of an operation does not show its effects `ordered` and `writes_ref`, so the test derives these
    // effects from the operation's name and type.
    bool is_volatile = name_of(operation).find("_volatile_") != std::string_view::npos;
    EXPECT_EQ(has(operation, effect::ordered), is_volatile) << name_of(operation);
    bool stores_reference = has(operation, effect::writes) && row(operation).type == 'A';
    EXPECT_EQ(has(operation, effect::writes_ref), stores_reference) << name_of(operation);
  });
  EXPECT_EQ(checked, 12u + 48u);
}

// --- vectors ---------------------------------------------------------------------------------------------------------

// Makes a class of synchronized methods, because no test case of bytecode_vectors.h executes the returns of such
// methods.
testing::ClassBuilder build_synchronized() {
  testing::ClassBuilder builder("SynchronizedReturns", "java/lang/Object", 49);
  auto add = [&](const char* type, const char* code) {
    builder.method(access::Static | access::Synchronized, fmt::format("of{}", type), fmt::format("(){}", type), code);
  };
  for (const char* type : {"Z", "B", "C", "S", "I"}) add(type, "iconst_3\nireturn\n");
  add("F", "fconst_1\nfreturn\n");
  add("J", "lconst_1\nlreturn\n");
  add("D", "dconst_1\ndreturn\n");
  add("V", "return\n");
  return builder;
}

TEST_F(OperationColumns, OfAllThatIsExecutedAreWhatHandlersDo) {
  JavaThread* thread = testing::vm_thread();
  InstanceKlass* klass = testing::define(testing::build_vectors("ObservedVectors"));  // not yet resolved
  InstanceKlass* locking = testing::define(build_synchronized());
  InstanceKlass* dynamic = testing::define(testing::build_dynamic("ObservedDynamic"));
  testing::StepObserver observer(thread);
  for (int round = 0; round < 2; ++round) {  // unresolved, then quickened
    u32 number = 0;
    for (const testing::Vector& vector : testing::bytecode_vectors()) {
      SCOPED_TRACE(fmt::format("vector {} ({}): {}", number, vector.instruction, vector.code));
      testing::call_vector(klass, vector, number++);
      observer.finish(has_exception(thread) ? testing::exception_text(thread) : "");
      EXPECT_EQ(observer.take_complaint(), "");
    }
    for (u32 i = 0; i < locking->method_count; ++i) call_java(thread, locking->methods[i], {});
    // The method has an invokedynamic instruction. Its call site is linked by code of java.lang.invoke, which executes
    // many further operations.
    Slot arguments[] = {12, 0, 3456};
    call_java(thread, dynamic->find_declared_method(Symbol::intern("length"), Symbol::intern("(IJ)I")), arguments);
    EXPECT_FALSE(has_exception(thread));
    EXPECT_EQ(observer.take_complaint(), "");
  }
  // A test case of bytecode_vectors.h has executed each operation, or a test of this file has checked the operation
  // alone. The few exceptions are operations that need unusual classes.
  std::set<std::string_view> unseen;
  for_each_operation([&](Operation operation) {
    Category category = row(operation).category;
    if (category == Category::superinstruction || category == Category::linkage) return;
    bool is_checked = observer.has_seen(operation) || is_alone(operation) || accesses_memory(operation);
    if (!is_checked) unseen.insert(name_of(operation));
  });
  EXPECT_EQ(fmt::format("{}", fmt::join(unseen, " ")),
            "getstatic_far invokehandle invokeinterface_private invokespecial_checked new_large_instance putstatic_far "
            "return_register_finalizer");
}

// For each kind of operation, the observer must report a wrong column of operations.def.
TEST_F(OperationColumns, ThatAreWrongAreNoticedInVectors) {
  auto complaints_with = [](Operation operation, auto&& change) {
    testing::StepObserver observer(testing::vm_thread());
    Columns wrong = columns_of(operation);
    change(wrong);
    observer.replace(operation, wrong);
    u32 number = 0;
    std::string complaint;
    for (const testing::Vector& vector : testing::bytecode_vectors()) {
      testing::call_vector(testing::vector_class(), vector, number++);
      observer.finish(has_exception(testing::vm_thread()) ? testing::exception_text(testing::vm_thread()) : "");
      if (complaint.empty()) complaint = observer.take_complaint();
    }
    return complaint;
  };
  auto without = [](u32 effects) { return [effects](Columns& columns) { columns.effects &= ~effects; }; };
  auto with = [](u32 effects) { return [effects](Columns& columns) { columns.effects |= effects; }; };
  auto popping_more = [](Columns& columns) { ++columns.pops; };
  EXPECT_EQ(complaints_with(Operation::iadd, [](Columns&) {}), "");
  EXPECT_NE(complaints_with(Operation::new_instance, popping_more), "");
  EXPECT_NE(complaints_with(Operation::instanceof_, popping_more), "");
  EXPECT_NE(complaints_with(Operation::monitorenter, popping_more), "");
  EXPECT_NE(complaints_with(Operation::iaload, without(effect::throws)), "");
  EXPECT_NE(complaints_with(Operation::athrow, without(effect::ends_block)), "");
  EXPECT_NE(complaints_with(Operation::checkcast, without(effect::throws)), "");
  EXPECT_NE(complaints_with(Operation::return_value, without(effect::ends_block)), "");
  EXPECT_NE(complaints_with(Operation::tableswitch, without(effect::branches)), "");
  EXPECT_NE(complaints_with(Operation::arraylength, with(effect::safepoint)), "");
  EXPECT_NE(complaints_with(Operation::instanceof_, with(effect::calls)), "");
}

}  // namespace
}  // namespace keyhole
