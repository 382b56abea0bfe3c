// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses in two passes. The first turns lines into records. The second turns ids into nodes, whose inputs and frame
// states may name later nodes.
#include "tests/jit/graph/text/graph_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "jit/graph/optimize/virtual_objects.h"
#include "runtime/object/klass.h"
#include "vm/interpreter/decoder.h"
#include "vm/interpreter/kernel_calls.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::testing {
namespace {

using namespace graph;

constexpr u32 most_ids = 100'000;

// A line, read from left to right; leading spaces are skipped. After the first error, the rest of the line is ignored.
class Line {
 public:
  Line(std::string_view text, u32 number, std::string& problem) : rest_(text), number_(number), problem_(&problem) {}

  void fail(std::string_view what) {
    if (problem_->empty()) *problem_ = fmt::format("line {}: {} at \"{}\"", number_, what, rest_);
    rest_ = {};
  }
  bool has_failed() const { return !problem_->empty(); }
  bool at_end() {
    skip_spaces();
    return rest_.empty();
  }
  bool accept(std::string_view text) {
    skip_spaces();
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void expect(std::string_view text) {
    if (!accept(text)) fail(fmt::format("expected {}", text));
  }
  // Reads the letters, digits and underscores that come next.
  std::string_view word() {
    skip_spaces();
    usize length = 0;
    while (length < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[length])) || rest_[length] == '_'))
      ++length;
    return take(length);
  }
  std::string_view until(std::string_view stops) {
    skip_spaces();
    return take(std::min(rest_.find_first_of(stops), rest_.size()));
  }
  template <typename Number> Number number() {
    skip_spaces();
    Number value{};
    auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) {
      fail("expected a number");
      return {};
    }
    rest_.remove_prefix(static_cast<usize>(end - rest_.data()));
    return value;
  }
  // Reads a name such as b7 or n7. Returns nothing if the text continues in another way.
  std::optional<u32> numbered(char letter) {
    skip_spaces();
    if (rest_.size() < 2 || rest_[0] != letter || !std::isdigit(static_cast<unsigned char>(rest_[1]))) return {};
    rest_.remove_prefix(1);
    return number<u32>();
  }
  // The text between braces.
  std::string_view braced() {
    expect("{");
    std::string_view text = until("}");
    expect("}");
    return text;
  }
  u32 line() const { return number_; }
  bool starts_with(std::string_view text) {
    skip_spaces();
    return rest_.starts_with(text);
  }

 private:
  void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
  std::string_view take(usize length) {
    std::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return text;
  }

  std::string_view rest_;
  u32 number_;
  std::string* problem_;
};

template <typename Value, usize count>
std::optional<Value> value_named(std::string_view word, std::string_view (*name)(Value), const Value (&values)[count]) {
  for (Value value : values) {
    if (name(value) == word) return value;
  }
  return {};
}

std::optional<Type> type_named(std::string_view word) {
  for (Type type : {Type::Int, Type::Long, Type::Float, Type::Double, Type::Reference}) {
    if (graph::name_of(type) == word) return type;
  }
  return {};
}

std::optional<Op> op_named(std::string_view word) {
  for (u32 i = 0; i < std::size(detail::rows); ++i) {
    if (detail::rows[i].name == word) return static_cast<Op>(i);
  }
  return {};
}

class GraphParser {
 public:
  GraphParser(Method* method, const GraphNames& names) : graph_(std::make_unique<Graph>(method)), names_(names) {}

  ParsedGraph run(std::string_view text) {
    u32 number = 0;
    while (!text.empty() && problem_.empty()) {
      usize end = std::min(text.find('\n'), text.size());
      Line line(text.substr(0, end), ++number, problem_);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (!line.at_end() && !line.accept("#")) read(line);
    }
    if (problem_.empty() && blocks_.empty()) problem_ = "there is no block";
    if (problem_.empty()) make_nodes();
    for (Record& record : records_) {
      if (problem_.empty()) complete(record);
    }
    if (problem_.empty()) connect();
    if (problem_.empty()) check_ends();
    if (!problem_.empty()) return {nullptr, problem_};
    graph_->order_blocks();
    if (std::string fault = verify(*graph_); !fault.empty()) return {nullptr, fault + "\n" + print(*graph_)};
    return {std::move(graph_), ""};
  }

 private:
  struct Record {
    Line rest;  // the rest of the line, after the operation's name
    Op op;
    Type type;
    std::optional<u32> id;
    bool is_never_null;
    Block* block;
    Node* node = nullptr;
  };
  struct BlockText {
    Block* block;
    std::vector<u32> predecessors, successors;
    u32 line;
  };

  // --- the first pass ------------------------------------------------------------------------------------------------

  void read(Line& line) {
    if (std::optional<u32> id = line.numbered('b')) return read_block(line, *id);
    if (blocks_.empty()) return line.fail("expected a block");
    Record record{line, {}, Type::None, {}, false, last_->block};
    if ((record.id = line.numbered('n'))) {
      std::optional<Type> type = type_named(line.word());
      if (!type) return line.fail("expected a type");
      record.type = *type;
      record.is_never_null = line.accept("!");
      line.expect("=");
    }
    std::optional<Op> op = op_named(line.word());
    if (!op) return line.fail("no such operation");
    record.op = *op;
    record.rest = line;
    records_.push_back(record);
  }

  void read_block(Line& line, u32 id) {
    auto [place, is_new] = blocks_.try_emplace(id, BlockText{graph_->make_block(), {}, {}, line.line()});
    if (!is_new) return line.fail(fmt::format("there are two b{}", id));
    last_ = &place->second;
    line.accept("(loop)");
    line.expect(":");
    while (std::optional<u32> predecessor = line.numbered('b')) last_->predecessors.push_back(*predecessor);
    if (!line.at_end()) line.fail("expected a block");
  }

  // --- the second pass -----------------------------------------------------------------------------------------------

  // P1: makes the nodes in the order of their ids, because Graph::make gives each new node the next id. Nodes without
  // an id in the text get the free ids.
  void make_nodes() {
    std::map<u32, Record*> named;
    std::vector<Record*> others;
    for (Record& record : records_) {
      if (!record.id) others.push_back(&record);
      else if (!named.try_emplace(*record.id, &record).second) record.rest.fail(fmt::format("two n{}", *record.id));
      if (record.id && *record.id > most_ids) record.rest.fail("too large an id");
    }
    if (!problem_.empty()) return;
    usize next = 0;
    while (!named.empty() || next < others.size()) {
      u32 id = graph_->node_count();
      Record* record = nullptr;
      if (auto place = named.find(id); place != named.end()) {
        record = place->second;
        named.erase(place);
      } else if (next < others.size()) {
        record = others[next++];
      }
      Node* node =
          graph_->make(record == nullptr ? Op::constant : record->op, record == nullptr ? Type::Int : record->type);
      nodes_.push_back(record == nullptr || !record->id ? nullptr : node);
      if (record != nullptr) record->node = node;
    }
    for (Record& record : records_) {
      record.node->is_never_null = record.is_never_null;
      Graph::append(record.block, record.node);
    }
  }

  // Null after a problem.
  Node* node(Line& line, u32 id) const {
    if (id < nodes_.size() && nodes_[id] != nullptr) return nodes_[id];
    line.fail(fmt::format("there is no n{}", id));
    return nullptr;
  }
  Node* expected_node(Line& line) const {
    std::optional<u32> id = line.numbered('n');
    if (!id) line.fail("expected a value");
    return id ? node(line, *id) : nullptr;
  }
  // n1 n2 - ...
  std::vector<Node*> values(Line& line) const {
    std::vector<Node*> found;
    while (true) {
      if (std::optional<u32> id = line.numbered('n')) found.push_back(node(line, *id));
      else if (line.accept("-")) found.push_back(nullptr);
      else return found;
    }
  }

  void complete(Record& record) {
    Line& line = record.rest;
    read_operand(line, record.node);
    std::vector<Node*> inputs = values(line);
    if (std::ranges::find(inputs, nullptr) != inputs.end()) line.fail("an input is not there");
    if (line.has_failed()) return;
    record.node->inputs = graph_->make_span<Node*>(inputs);
    if (record.op == Op::call && record.node->call->kind == CallKind::Direct) count_arguments(record.node);
    if (line.accept("@")) record.node->state = read_state(line);
    if (line.has_failed()) return;
    if (record.node->has(effect::deoptimizes) != (record.node->state != nullptr))
      line.fail("a state is missing, or too many");
    while (std::optional<u32> successor = line.numbered('b')) {
      auto owner = std::ranges::find(blocks_, record.block, [](const auto& each) { return each.second.block; });
      owner->second.successors.push_back(*successor);
    }
    if (!line.at_end()) line.fail("what is this");
  }

  static constexpr Condition conditions[] = {Condition::Equal,          Condition::NotEqual, Condition::Less,
                                             Condition::GreaterOrEqual, Condition::Greater,  Condition::LessOrEqual,
                                             Condition::Below};
  static constexpr DeoptReason reasons[] = {
      DeoptReason::Null,      DeoptReason::Range,       DeoptReason::ZeroDivisor, DeoptReason::NegativeSize,
      DeoptReason::Cast,      DeoptReason::ElementType, DeoptReason::Throws,      DeoptReason::Unresolved,
      DeoptReason::Locks,     DeoptReason::Interpreted, DeoptReason::Class,       DeoptReason::Untaken,
      DeoptReason::Intrinsic, DeoptReason::Hoisted,     DeoptReason::Monitor};

  template <typename Value, usize count>
  static Value named(Line& line, std::string_view (*name)(Value), const Value (&values)[count]) {
    std::optional<Value> value = value_named(line.word(), name, values);
    if (!value) line.fail("no such name");
    return value.value_or(values[0]);
  }
  const Klass* klass(Line& line, std::string_view name) const {
    const Klass* found = names_.klass(name);
    if (found == nullptr) line.fail(fmt::format("no class {}", name));
    return found;
  }
  Method* method(Line& line, std::string_view name) const {
    Method* found = names_.method(name);
    if (found == nullptr) line.fail(fmt::format("no method {}", name));
    return found;
  }

  void read_operand(Line& line, Node* node) {
    switch (node->op) {
      case Op::constant: return read_constant(line, node);
      case Op::parameter: node->local = line.number<u32>(); return;
      case Op::mirror:
      case Op::is_instance:
      case Op::is_castable:
      case Op::has_class: node->klass = klass(line, line.braced()); return;
      case Op::selects: {
        u32 index = line.number<u32>();
        node->selected = graph_->make_data(SelectedMethod{index, method(line, line.braced())});
        return;
      }
      case Op::resolved_object:
      case Op::root_object: line.fail("text does not say which object this is");
      case Op::compare_int:
      case Op::compare_reference: node->condition = named(line, &graph::name, conditions); return;
      case Op::load_field:
      case Op::store_field: {
        Access access = read_access(line);
        line.expect("+");
        access.offset = line.number<u32>();
        if (line.accept("{")) {
          std::string_view name = line.until("}");
          line.expect("}");
          if (!name.empty()) access.name = Symbol::intern(name);
        }
        node->access = access;
        return;
      }
      case Op::load_element:
      case Op::store_element:
      case Op::copy_elements:
      case Op::load_raw:
      case Op::store_raw:
      case Op::compare_and_set:
      case Op::compare_and_exchange:
      case Op::exchange:
      case Op::fetch_and_add:
        node->access = read_access(line);
        node->card_is_marked = line.accept("(marked)");
        return;
      case Op::new_instance:
      case Op::new_array: {
        line.expect("{");
        const Klass* made = klass(line, line.until(" }"));
        if (made == nullptr) return;
        node->allocation = {made->id, line.number<u32>()};
        line.expect("}");
        return;
      }
      case Op::box:
      case Op::virtual_box: {
        line.expect("cache");
        i32 first = line.number<i32>();
        node->cache = {first, line.number<u32>()};
        return;
      }
      case Op::virtual_object: return read_virtual_object(line, node);
      case Op::class_fact:
      case Op::change_pins: node->bits = static_cast<u32>(line.number<i32>()); return;
      case Op::guard:
      case Op::uncommon_trap: node->reason = named(line, &graph::name, reasons); return;
      case Op::copy_array:
      case Op::string_equals: node->reason = DeoptReason::Intrinsic; return;
      case Op::library_query:
      case Op::library_call: node->kernel = kernel(line); return;
      case Op::call: return read_call(line, node);
      case Op::switch_: {
        std::vector<i32> keys;
        while (!line.has_failed() && !line.starts_with("n")) keys.push_back(line.number<i32>());
        node->switch_keys = graph_->make_data(SwitchKeys{graph_->make_span<i32>(keys)});
        return;
      }
      default:
        node->has_no_record = line.accept("(no record)");
        if (line.accept("(joins")) {
          node->joined_regions = line.number<u32>();
          line.expect(")");
        }
        return;
    }
  }

  static const interpreter::KernelCall* kernel(Line& line) {
    std::string_view name = line.word();
#define KERNEL(row, ...) \
  if (name == #row) return interpreter::kernel_call_of(interpreter::Intrinsic::row);
#include "vm/interpreter/library_kernels.def"
    line.fail("no such kernel");
    return nullptr;
  }

  static void read_constant(Line& line, Node* node) {
    switch (node->type) {
      case Type::Int: node->bits = static_cast<u32>(line.number<i32>()); return;
      case Type::Long: node->bits = static_cast<u64>(line.number<i64>()); return;
      case Type::Float: node->bits = __builtin_bit_cast(u32, line.number<f32>()); return;
      case Type::Double: node->bits = __builtin_bit_cast(u64, line.number<f64>()); return;
      default: line.expect("null");
    }
  }

  static Access read_access(Line& line) {
    std::string_view type = line.word();
    if (type.size() != 1 || !std::string_view("BCSIJA").contains(type[0])) {
      line.fail("no such type of memory");
      type = "I";
    }
    return {type[0], line.accept("volatile"), 0, nullptr};
  }

  void read_virtual_object(Line& line, Node* node) {
    line.expect("{");
    VirtualLayout layout{klass(line, line.until(" }")), 0, {}};
    if (layout.klass == nullptr) return;
    std::vector<VirtualField> fields;
    if (layout.klass->is_array()) {
      layout.length = line.number<u32>();
      fields = elements_of(layout.klass, layout.length);
    } else {
      fields = fields_of(layout.klass);
    }
    line.expect("}");
    layout.fields = graph_->make_span<VirtualField>(fields);
    node->layout = graph_->make_data(layout);
  }

  void read_call(Line& line, Node* node) {
    CallTarget call{};
    std::string_view kind = line.word();
    if (kind == "direct") {
      call.kind = CallKind::Direct;
      call.method = method(line, line.braced());
    } else if (kind == "virtual") {
      call.kind = CallKind::Virtual;
      call.vtable_index = line.number<u32>();
      line.expect("of");
      call.argument_slots = line.number<u32>();
    } else if (kind == "fallback") {
      call.kind = CallKind::Fallback;
      line.expect("of");
      call.argument_slots = line.number<u32>();
    } else {
      line.fail("text does not say which call site this is");
    }
    node->call = graph_->make_data(call);
  }

  void count_arguments(Node* node) {
    CallTarget call = *node->call;
    for (const Node* input : node->inputs) call.argument_slots += is_wide(input->type) ? 2 : 1;
    node->call = graph_->make_data(call);
  }

  // --- frame states --------------------------------------------------------------------------------------------------

  // Reads the frame state after an @: the innermost frame, its callers after further @, and then the objects, which
  // belong to the innermost frame.
  FrameState* read_state(Line& line) {
    std::vector<FrameState> frames;
    do {
      frames.push_back(read_frame(line));
    } while (line.accept("@"));
    std::vector<FieldValues> objects;
    while (std::optional<u32> id = line.numbered('n')) {
      Node* object = node(line, *id);
      line.expect("{");
      std::vector<Node*> fields;
      while (!line.has_failed() && !line.accept("}")) {
        line.expect("+");
        line.number<u32>();
        fields.push_back(expected_node(line));
      }
      objects.push_back({object, graph_->make_span<Node*>(fields)});
    }
    frames.front().objects = graph_->make_span<FieldValues>(objects);
    FrameState* outer = nullptr;
    for (usize i = frames.size(); i-- > 0;) {
      frames[i].outer = outer;
      if (outer == nullptr) frames[i].method = graph_->method();
      if (frames[i].method == nullptr) line.fail("which method is inlined here");
      else if (frames[i].bci >= frames[i].method->code_length) line.fail("no such bci");
      if (line.has_failed()) return nullptr;
      const MethodCode* body = interpreter::prepare_bytecode(frames[i].method);
      frames[i].instruction = static_cast<u32>(body->instruction_at(frames[i].bci) - body->instructions());
      outer = graph_->make_frame_state(frames[i]);
    }
    return outer;
  }

  FrameState read_frame(Line& line) {
    FrameState frame{};
    if (line.accept("{")) {
      frame.method = method(line, line.until("}"));
      line.expect("}");
      line.expect(":");
    }
    frame.bci = line.number<u32>();
    line.expect("[");
    frame.locals = graph_->make_span<Node*>(values(line));
    line.expect("|");
    frame.operands = graph_->make_span<Node*>(values(line));
    line.expect("]");
    if (line.accept("holds")) frame.locks = read_locks(line);
    if (line.accept("coarsened")) frame.coarsened_lock = expected_node(line);
    return frame;
  }

  // Reads a frame's locks, up to the first object of the frame state, such as n9{...}.
  HeldLock* read_locks(Line& line) {
    Line ahead = line;
    std::optional<u32> id = ahead.numbered('n');
    if (!id || ahead.starts_with("{")) return nullptr;
    line = ahead;
    Node* object = node(line, *id);
    bool is_eliminated = line.accept("(eliminated)"), has_no_record = line.accept("(no record)");
    HeldLock* lock = graph_->make_lock(object, read_locks(line));
    lock->is_eliminated = is_eliminated;
    lock->has_no_record = has_no_record;
    if (is_eliminated) ++graph_->eliminated_levels;
    return lock;
  }

  // --- edges ---------------------------------------------------------------------------------------------------------

  void connect() {
    auto edge_problem = [this](u32 line, u32 from, u32 to) {
      problem_ = fmt::format("line {}: the edge from b{} to b{} stands at one end only", line, from, to);
    };
    for (auto& [id, text] : blocks_) {
      for (u32 successor : text.successors) {
        auto other = blocks_.find(successor);
        if (other == blocks_.end() ||
            std::ranges::count(text.successors, successor) != std::ranges::count(other->second.predecessors, id))
          return edge_problem(text.line, id, successor);
        text.block->successors.push_back(other->second.block);
      }
      for (u32 predecessor : text.predecessors) {
        auto other = blocks_.find(predecessor);
        if (other == blocks_.end() || std::ranges::find(other->second.successors, id) == other->second.successors.end())
          return edge_problem(text.line, predecessor, id);
        text.block->predecessors.push_back(other->second.block);
      }
    }
  }

  // Checks the conditions that order_blocks and the verifier take for granted.
  void check_ends() {
    for (const auto& [id, text] : blocks_) {
      if (!text.block->is_ended()) problem_ = fmt::format("line {}: b{} has no end", text.line, id);
      for (const Node* node : text.block->nodes) {
        if (node->op == Op::phi && node->inputs.size() != text.predecessors.size())
          problem_ = fmt::format("line {}: n{} has not one input for each predecessor", text.line, node->id);
      }
    }
  }

  std::unique_ptr<Graph> graph_;
  const GraphNames& names_;
  std::map<u32, BlockText> blocks_;  // by id in the text
  BlockText* last_ = nullptr;
  std::vector<Record> records_;
  std::vector<Node*> nodes_;  // the nodes by id; null: no value has this id
  std::string problem_;
};

}  // namespace

ParsedGraph parse_graph(std::string_view text, Method* method, const GraphNames& names) {
  return GraphParser(method, names).run(text);
}

}  // namespace keyhole::testing
