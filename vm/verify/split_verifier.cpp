// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Type checking against StackMapTable (JVMS 4.10.1): instructions in order, with one current frame.
//
//   at an instruction that has a map:   the current frame (if control can fall into it) must be assignable to the map,
//                                       and the map becomes the current frame
//   at a branch:                        the frame after popping must be assignable to the map at each target
//   in a protected range:               locals + the exception must be assignable to the handler's map, before each
//                                       instruction that stores a local and after each other one; around a call of
//                                       <init> both. After super() or this() the frame counts as uninitialised there,
//                                       so no handler can protect these calls.
//   after goto, return, athrow ...:     the next instruction must have a map
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "vm/link/exceptions.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/release_behaviour.h"
#include "vm/verify/method_verifiers.h"
#include "vm/verify/slot_types.h"
#include "vm/verify/stack_map_table.h"
#include "vm/verify/type_checker.h"

namespace keyhole {
namespace {

// Finds the rows of the handler table that cover an instruction, in the table's order. Queries come in the order of the
// instructions, so that a method with many handlers does not compare each instruction with each row.
class CoveringHandlers {
 public:
  explicit CoveringHandlers(const Method* method) : rows_(method->handlers, method->handler_count) {
    for (u32 row = 0; row < rows_.size(); ++row) by_start_.push_back(row);
    std::ranges::sort(by_start_, {}, [this](u32 row) { return rows_[row].start_bci; });
    next_change_ = by_start_.empty() ? ~0u : 0;
  }

  const std::vector<u32>& at(u32 bci) {
    if (bci >= next_change_) advance(bci);
    return covering_;
  }

 private:
  void advance(u32 bci) {
    std::erase_if(covering_, [&](u32 row) { return rows_[row].end_bci <= bci; });
    for (; begun_ < by_start_.size() && rows_[by_start_[begun_]].start_bci <= bci; ++begun_) {
      u32 row = by_start_[begun_];
      if (rows_[row].end_bci > bci) covering_.insert(std::ranges::lower_bound(covering_, row), row);
    }
    next_change_ = begun_ < by_start_.size() ? rows_[by_start_[begun_]].start_bci : ~0u;
    for (u32 row : covering_) next_change_ = std::min<u32>(next_change_, rows_[row].end_bci);
  }

  std::span<const ExceptionHandler> rows_;
  std::vector<u32> by_start_;
  std::vector<u32> covering_;
  usize begun_ = 0;  // the number of rows in by_start_ that have begun
  u32 next_change_;  // the bci where the next row begins or ends
};

class SplitVerifier final : HandlerChecks {
 public:
  SplitVerifier(JavaThread* thread, TypeHierarchy& hierarchy, const Method* method)
      : thread_(thread), method_(method), checker_(hierarchy, method, *this), handlers_(method) {}

  Rejection run() MAY_SAFEPOINT {
    check();
    if (has_exception(thread_)) return {};
    if (!malformed_.empty()) return {Rejection::Kind::ClassFormat, malformed_};
    if (checker_.text().empty()) return {};
    return {Rejection::Kind::Verify, checker_.text()};
  }

 private:
  using Type = VerificationType;
  using Kind = ErrorContext::Kind;

  bool check() MAY_SAFEPOINT {
    state_.slots.assign(u32{method_->max_locals} + method_->max_stack, Type::top());
    state_.locals = method_->max_locals;
    return checker_.enter(state_) && find_instructions() && check_handler_table() && read_maps() && check_code();
  }

  bool refuse(const std::string& what, const ErrorContext& context) { return checker_.refuse(what, context); }
  // Rejects a table that does not fit the code, so that a class of version 50 can be verified by inference.
  bool malformed(const std::string& what) {
    malformed_ = fmt::format("{} in method '{}'", what,
                             external_method_name(method_->holder, method_->name, method_->descriptor));
    return false;
  }
  // Throws ClassFormatError for a table that cannot be read, in every version.
  bool malformed_table(const std::string& what) MAY_SAFEPOINT {
    throw_message(thread_, names::java_lang_ClassFormatError, "StackMapTable format error: " + what);
    return false;
  }

  bool find_instructions() {
    is_start_.assign(method_->code_length, false);
    for (u32 bci = 0; bci < method_->code_length;) {
      u32 bytes = bytecode::length_at(method_->code, bci, method_->code_length);
      // A lookupswitch without pairs must not end the code.
      if (method_->code[bci] == LOOKUPSWITCH && ((bci + 4) & ~3u) + 8 >= method_->code_length) bytes = 0;
      if (bytes == 0) return checker_.refuse_code(bci, "Bad instruction");
      is_start_[bci] = true;
      bci += bytes;
    }
    return true;
  }
  bool starts_at(u32 bci) const { return bci < method_->code_length && is_start_[bci]; }

  bool check_handler_table() MAY_SAFEPOINT {
    for (u32 index = 0; index < method_->handler_count; ++index) {
      const ExceptionHandler& row = method_->handlers[index];
      if (!starts_at(row.start_bci))
        return malformed(fmt::format("Illegal exception table start_pc {}", row.start_bci));
      if (row.end_bci != method_->code_length && !starts_at(row.end_bci))
        return malformed(fmt::format("Illegal exception table end_pc {}", row.end_bci));
      if (!starts_at(row.handler_bci))
        return malformed(fmt::format("Illegal exception table handler_pc {}", row.handler_bci));
      if (row.catch_type_index == 0) continue;
      Type caught = checker_.exception_type(row), throwable = Type::reference(names::java_lang_Throwable);
      if (!checker_.hierarchy().is_assignable(throwable, caught)) {
        return refuse(fmt::format("Catch type is not a subclass of Throwable in exception handler {}", row.handler_bci),
                      {Kind::WrongType, row.handler_bci, 0, TypeOrigin::pool(row.catch_type_index, caught),
                       TypeOrigin::implicit(throwable)});
      }
    }
    return !checker_.failed();
  }

  // --- StackMapTable -------------------------------------------------------------------------------------------------

  static constexpr const char* bad_size = "StackMapTable format error: bad type array size";

  bool put_types(const std::vector<StackMapReader::Type>& types, Type* slots, u32& used, u32 capacity) MAY_SAFEPOINT {
    for (const StackMapReader::Type& entry : types) {
      static constexpr TypeTag tags[] = {TypeTag::Top,
                                         TypeTag::Int,
                                         TypeTag::Float,
                                         TypeTag::Double,
                                         TypeTag::Long,
                                         TypeTag::Null,
                                         TypeTag::UninitializedThis};
      Type type;
      if (entry.tag == 7) {
        type = Type::reference(method_->constants->class_name(entry.value));
      } else if (entry.tag == 8) {
        if (!starts_at(entry.value) || method_->code[entry.value] != NEW)
          malformed("StackMapTable format error: bad offset for Uninitialized");
        type = Type::uninitialized(entry.value);
      } else {
        type = tags[entry.tag];
      }
      if (used + (type.is_category2() ? 2 : 1) > capacity) return malformed(bad_size);
      slots[used++] = type;
      if (type.is_category2()) slots[used++] = type.upper();
    }
    return malformed_.empty();
  }

  bool read_maps() MAY_SAFEPOINT {
    StackMapReader reader(method_);
    if (reader.fault() != nullptr) return malformed_table(reader.fault());
    TypeState state = state_;
    u32& used = state.used_locals;  // chop and append count from this number of locals
    i64 bci = -1;
    for (u32 index = 0; index < reader.frame_count(); ++index) {
      if (reader.at_end() && release::compares_frame_count()) return malformed_table("wrong attribute size");
      auto entry = reader.next(state.locals);
      if (!entry) return malformed_table(reader.fault());
      bci += entry->bci_distance + 1;
      state.depth = 0;
      if (entry->kind == 255) {
        used = 0;
        std::fill_n(state.slots.begin(), state.locals, Type::top());
      }
      for (u32 chopped = 0; chopped < entry->chopped; ++chopped) {
        if (used == 0) return malformed(bad_size);
        bool wide = state.local(used - 1).is_category2_upper();
        if (wide) state.local(--used) = Type::top();
        state.local(--used) = Type::top();
      }
      if (!put_types(entry->locals, state.slots.data(), used, state.locals)) return false;
      if (!put_types(entry->stack, state.slots.data() + state.locals, state.depth, state.stack_capacity()))
        return false;
      state.flags = 0;
      for (u32 local = 0; local < used; ++local)
        if (state.local(local).is(TypeTag::UninitializedThis)) state.flags |= flag_this_uninitialized;
      if (bci >= i64{method_->code_length} || !starts_at(static_cast<u32>(bci))) {
        ErrorContext context{Kind::BadStackMap, 0};
        context.type.frame = describe_frame(state, static_cast<u32>(bci), state.depth);
        return refuse("StackMapTable error: bad offset", context);
      }
      maps_.push_back({static_cast<u32>(bci), state});
    }
    bool is_checked = reader.frame_count() != 0 || !release::compares_frame_count();
    if (method_->stack_map != nullptr && is_checked && !reader.at_end()) return malformed_table("wrong attribute size");
    return true;
  }

  const StackMapFrame* map_at(u32 bci) const {
    auto found = std::lower_bound(maps_.begin(), maps_.end(), bci,
                                  [](const StackMapFrame& map, u32 wanted) { return map.bci < wanted; });
    return found != maps_.end() && found->bci == bci ? &*found : nullptr;
  }

  // --- matching frames -----------------------------------------------------------------------------------------------

  // Is `from` assignable to the map? If not, `context` says where. `shown_depth`: operands that a message shows.
  bool is_assignable(const TypeState& from, u32 bci, u32 shown_depth, const StackMapFrame& map, ErrorContext& context)
      MAY_SAFEPOINT {
    const TypeState& to = map.state;
    auto origin = [&](TypeOrigin::Place place, u32 index, const TypeState& frame, u32 slot, u32 at, u32 depth) {
      return TypeOrigin{place, index, frame.slots[slot], describe_frame(frame, at, depth)};
    };
    auto frames_only = [&](Kind kind, u32 at) {
      context = {kind, at, 0, {}, {}};
      context.type.frame = describe_frame(from, bci, shown_depth);
      context.expected = {TypeOrigin::Place::Implicit, 0, Type::top(), describe_frame(to, map.bci, to.depth)};
      return false;
    };
    if (from.depth != to.depth) return frames_only(Kind::StackMismatch, bci);
    using Place = TypeOrigin::Place;
    for (u32 local = 0; local < to.locals; ++local) {
      if (checker_.hierarchy().is_assignable(to.slots[local], from.slots[local])) continue;
      context = {Kind::WrongType, map.bci, 0, origin(Place::FrameLocal, local, from, local, bci, shown_depth),
                 origin(Place::MapLocal, local, to, local, map.bci, to.depth)};
      return false;
    }
    for (u32 operand = 0; operand < to.depth; ++operand) {
      u32 slot = to.locals + operand;
      if (checker_.hierarchy().is_assignable(to.slots[slot], from.slots[slot])) continue;
      context = {Kind::WrongType, map.bci, 0, origin(Place::FrameStack, operand, from, slot, bci, shown_depth),
                 origin(Place::MapStack, operand, to, slot, map.bci, to.depth)};
      return false;
    }
    if ((from.flags | to.flags) != to.flags) return frames_only(Kind::FlagsMismatch, map.bci);
    return true;
  }

  bool check_target(u32 bci, u32 target, u32 shown_depth) MAY_SAFEPOINT {
    constexpr i32 maximum_code_bytes = 65535;
    if (i32 offset = static_cast<i32>(target - bci); offset < -maximum_code_bytes || offset > maximum_code_bytes) {
      ErrorContext context{Kind::BadStackMap, 0};
      context.type.frame = describe_frame(state_, bci, shown_depth);
      return refuse(fmt::format("Illegal target of jump or branch (bci {} + offset {})", bci, offset), context);
    }
    const StackMapFrame* map = map_at(target);
    if (map == nullptr)
      return refuse(fmt::format("Expecting a stackmap frame at branch target {}", static_cast<i32>(target)),
                    {Kind::MissingStackMap, bci});
    ErrorContext context;
    if (is_assignable(state_, bci, shown_depth, *map, context)) return true;
    return refuse(fmt::format("Inconsistent stackmap frames at branch target {}", target), context);
  }

  bool check_handlers(const TypeState& state, u32 bci) MAY_SAFEPOINT override {
    for (u32 index : handlers_.at(bci)) {
      const ExceptionHandler& row = method_->handlers[index];
      TypeState frame = state;
      if (frame.stack_capacity() == 0) {
        ErrorContext context{Kind::StackOverflow, bci};
        context.type.frame = describe_frame(frame, bci, 0);
        return refuse("Operand stack overflow", context);
      }
      frame.depth = 1;
      frame.operand(0) = checker_.exception_type(row);
      const StackMapFrame* map = map_at(row.handler_bci);
      if (map == nullptr)
        return refuse(fmt::format("Expecting a stackmap frame at branch target {}", row.handler_bci),
                      {Kind::MissingStackMap, bci});
      ErrorContext context;
      if (!is_assignable(frame, bci, 1, *map, context))
        return refuse(fmt::format("Stack map does not match the one at exception handler {}", row.handler_bci),
                      context);
    }
    return true;
  }

  // --- the pass ------------------------------------------------------------------------------------------------------

  // Enters the instruction at bci through its map, if it has one.
  bool enter_instruction(u32 bci, usize& next_map, bool falls_in) MAY_SAFEPOINT {
    if (next_map == maps_.size()) return falls_in || checker_.refuse_code(bci, "Expecting a stack map frame");
    const StackMapFrame& map = maps_[next_map];
    if (map.bci > bci) return falls_in || refuse("Expecting a stack map frame", {Kind::MissingStackMap, bci});
    if (map.bci < bci) return malformed(fmt::format("Bad stack map offset {}", map.bci));
    ErrorContext context;
    if (falls_in && !is_assignable(state_, bci, state_.depth, map, context))
      return refuse("Instruction type does not match stack map", context);
    state_ = map.state;
    ++next_map;
    return true;
  }

  bool check_switch_operands(u32 bci) {
    const u8* code = method_->code;
    bytecode::Switch table(code, bci);
    if (method_->holder->major_version < 51) {
      for (u32 padding = bci + 1; padding % 4 != 0; ++padding)
        if (code[padding] != 0) return checker_.refuse_code(bci, "Nonzero padding byte in lookupswitch or tableswitch");
    }
    for (u32 index = 1; !table.is_table() && index < table.count(); ++index)
      if (table.key(index - 1) >= table.key(index)) return checker_.refuse_code(bci, "Bad lookupswitch instruction");
    return true;
  }

  bool check_code() MAY_SAFEPOINT {
    const u8* code = method_->code;
    usize next_map = 0;
    bool falls_in = true;
    for (u32 bci = 0; bci < method_->code_length;) {
      if (!enter_instruction(bci, next_map, falls_in)) return false;
      u8 opcode = effective_opcode(code, bci);
      if (opcode == RET && code[bci] == WIDE) return checker_.refuse_code(bci, "Bad wide instruction");
      if (opcode == RET || is_subroutine_call(opcode))
        return checker_.refuse_code(bci, fmt::format("Bad instruction: {:02x}", opcode));
      if ((opcode == TABLESWITCH || opcode == LOOKUPSWITCH) && !check_switch_operands(bci)) return false;
      bool stores = local_store_letter(opcode) != 0;
      if (stores && !check_handlers(state_, bci)) return false;
      u32 depth_before = state_.depth, flags_before = state_.flags;
      if (!checker_.step(state_, bci) || checker_.failed()) return false;
      bool sound = true;
      if (bytecode::has(opcode, bytecode::flag::branches)) {
        for_each_branch_target(
            code, bci, [&](u32 target) MAY_SAFEPOINT { sound = sound && check_target(bci, target, depth_before); });
      }
      if (!sound || checker_.failed()) return false;
      if (!stores && method_->handler_count != 0) {
        u32 flags_after = std::exchange(state_.flags, state_.flags | flags_before);
        if (!check_handlers(state_, bci)) return false;
        state_.flags = flags_after;
      }
      falls_in = !bytecode::has(opcode, bytecode::flag::ends_block);
      bci += bytecode::length_at(code, bci, method_->code_length);
    }
    return !falls_in || checker_.refuse_code(method_->code_length, "Control flow falls through code end");
  }

  JavaThread* thread_;
  const Method* method_;
  TypeChecker checker_;
  TypeState state_;
  CoveringHandlers handlers_;
  std::vector<bool> is_start_;
  std::vector<StackMapFrame> maps_;  // by bci
  std::string malformed_;
};

}  // namespace

Rejection verify_by_stack_maps(JavaThread* thread, TypeHierarchy& hierarchy, const Method* method) {
  return SplitVerifier(thread, hierarchy, method).run();
}

}  // namespace keyhole
