// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds basic blocks, merges abstract frames where paths meet, and makes the phis of loop headers.
#include "jit/graph/build/build.h"

#include <algorithm>

#include "jit/graph/build/builder.h"
#include "vm/interpreter/decoder.h"
#include "vm/metadata/descriptor.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {

using namespace interpreter;

namespace {

constexpr u32 most_bytes = 8000;
}

Built build(Method* method, const BuildOptions& options) {
  auto refused = [](std::string why) { return Built{nullptr, std::move(why), {}}; };
  if (method->code == nullptr) return refused("no bytecode");
  if (method->code_length > most_bytes) return refused("too large");
  auto graph = std::make_unique<Graph>(method);
  graph->has_origins = options.has_origins;
  Inliner inliner(*graph, options);
  const MethodCode* body = interpreter::prepare_bytecode(method);
  if (options.loop >= 0) {
    if (!begins_loop(method, options.loop)) return refused("no loop begins where it is to be entered");
    graph->loop_instruction =
        static_cast<u32>(body->instruction_at(static_cast<u32>(options.loop)) - body->instructions());
  }
  MethodShape shape(method, graph->loop_instruction.value_or(0), !options.inlines);
  note_pruned_handler(*graph, shape);
  if (shape.instructions.has_subroutines()) return refused("subroutines");
  if (!shape.flow.refusal().empty()) return refused(shape.flow.refusal());
  std::string refusal = Builder(*graph, inliner, shape).run();
  if (!refusal.empty()) return refused(std::move(refusal));
  graph->origin = nullptr;
  graph->remove_redundant_phis();
  graph->order_blocks();
  KEYHOLE_ASSERT(verify(*graph).empty(), "graph of {}: {}", method->external_name(), verify(*graph));
  return {std::move(graph), {}, inliner.take_decisions()};
}

// Gives the graph a first block of its own. The first block must not have a predecessor, and a method whose bytecode
// begins with a loop would give it one.
std::string Builder::run() {
  block_ = graph_.make_block();
  if (graph_.loop_instruction) enter_loop_of_method();
  else enter_method();
  incoming_.resize(flow_.blocks().size());
  entries_.resize(flow_.blocks().size());
  for (usize i = 0; i < flow_.blocks().size(); ++i) blocks_.push_back(graph_.make_block());
  go_to(graph_.loop_instruction.value_or(0));
  add(Op::jump, Type::None);
  build_blocks();
  return refusal_;
}

void Builder::build_blocks() {
  for (u32 i = 0; i < flow_.blocks().size() && refusal_.empty(); ++i) build_block(i);
}

void Builder::enter_method() {
  const Method* method = this->method();
  frame_.locals.resize(method->max_locals);
  u32 slot = 0;
  auto argument = [&](Type type) {
    if (is_wide(type)) ++slot;
    Node* node = add(Op::parameter, type);
    node->local = slot;
    frame_.locals[slot++] = node;
    return node;
  };
  if (!method->is_static()) argument(Type::Reference)->is_never_null = true;
  for (DescriptorIterator it(method->descriptor); !it.at_end(); it.next()) argument(type_of_descriptor(it.text()[0]));
  if (inliner_.is_enabled()) note_declared_parameters(frame_.locals);
  if (!method->is_synchronized()) return;
  Node* object = method->is_static() ? mirror_of(method->holder) : frame_.locals[0];
  add(Op::lock_method, Type::None, {object});
  own_lock_ = graph_.make_lock(object, nullptr);
  frame_.locks = own_lock_;
}

// --- edges and merges ------------------------------------------------------------------------------------------------

void Builder::go_to(u32 instruction) {
  u32 number = flow_.block_at(instruction);
  if (number < begun_) {
    graph_.connect(block_, blocks_[number]);
    return continue_loop(number, frame_);
  }
  graph_.connect(block_, path_into(number));
  incoming_[number].push_back(frame_);
}

// Returns the graph block to which forward edges into this flow block lead: the flow block's preheader, if it has one.
Block* Builder::path_into(u32 number) {
  Block*& entry = entries_[number];
  if (entry == nullptr && flow_.blocks()[number].is_loop_header && may_hoist(number)) entry = graph_.make_block();
  return entry != nullptr ? entry : blocks_[number];
}

// Makes a phi without inputs, and reserves memory for one input per edge.
Node* Builder::make_phi(Block* block, usize edges, Type type) {
  Node* phi = graph_.make(Op::phi, type, std::vector<Node*>(edges));
  phi->inputs = phi->inputs.first(0);
  Graph::append(block, phi);
  return phi;
}

// Appends the next edge's value to the phi's inputs.
static void add_input(Node* phi, Node* value) {
  phi->inputs = {phi->inputs.data(), phi->inputs.size() + 1};
  phi->inputs.back() = value;
}

// Returns the value if it is the same on all edges, otherwise a phi. Returns null if the types differ: no bytecode
// reads such a slot.
Node* Builder::merged(Block* block, const std::vector<Node*>& values, usize edges) {
  Node* first = values[0];
  if (first == nullptr || std::all_of(values.begin(), values.end(), [&](Node* value) { return value == first; })) {
    return first;
  }
  for (Node* value : values) {
    if (value == nullptr || value->type != first->type) return nullptr;
  }
  Node* phi = make_phi(block, edges, first->type);
  for (Node* value : values) add_input(phi, value);
  return phi;
}

// Returns an upper bound for the number of edges into the block. Each exception has an edge of its own to its handler,
// so a handler may get more edges than the flow has predecessors. The bound therefore includes the number of edges that
// exist already.
usize Builder::most_edges(u32 number) const {
  return flow_.blocks()[number].predecessors.size() + (number == 0 ? 1 : 0) + incoming_[number].size();
}

void Builder::merge(u32 number, Block* block) {
  std::vector<Frame>& from = incoming_[number];
  u32 instruction = flow_.blocks()[number].first;
  frame_ = from[0];
  std::vector<Node*> values(from.size());
  for (u32 i = 0; i < frame_.locals.size(); ++i) {
    for (usize k = 0; k < from.size(); ++k) values[k] = from[k].locals[i];
    frame_.locals[i] = live_.is_live(instruction, i) ? merged(block, values, most_edges(number)) : nullptr;
  }
  for (u32 i = 0; i < frame_.operands.size(); ++i) {
    for (usize k = 0; k < from.size(); ++k) values[k] = from[k].operands[i];
    frame_.operands[i] = merged(block, values, most_edges(number));
  }
  for (const Frame& other : from) {
    if (!same_locks(frame_.locks, other.locks)) refuse("different locks where paths meet");
  }
}

bool Builder::same_locks(const HeldLock* a, const HeldLock* b) {
  for (; a != nullptr && b != nullptr; a = a->outer, b = b->outer) {
    if (a->object != b->object) return false;
  }
  return a == b;
}

void Builder::enter_loop(u32 number) {
  const FlowBlock& flow = flow_.blocks()[number];
  usize edges = entries_[number] != nullptr ? 1 : incoming_[number].size();
  auto loop_phi = [&](Node* value) {
    if (value == nullptr) return value;
    if (value->op == Op::phi && value->block == blocks_[number]) return value;
    Node* phi = make_phi(blocks_[number], most_edges(number) + 1, value->type);
    for (usize i = 0; i < edges; ++i) add_input(phi, value);
    return phi;
  };
  for (u32 i = 0; i < frame_.locals.size(); ++i) {
    if (flow.assigned[i]) frame_.locals[i] = loop_phi(frame_.locals[i]);
  }
  for (Node*& operand : frame_.operands) operand = loop_phi(operand);
  // Keeps the frame at the header for continue_loop(), which is called for each back edge. continue_loop() adds the
  // values of the back edge to the phis. If a slot has no phi and its value differs on the back edge, continue_loop()
  // refuses the method.
  incoming_[number].assign(1, frame_);
}

void Builder::continue_loop(u32 number, const Frame& frame) {
  const Frame& header = incoming_[number][0];
  auto continue_with = [&](Node* expected, Node* value) {
    bool is_phi = expected != nullptr && expected->op == Op::phi && expected->block == blocks_[number];
    if (!is_phi && expected == value) return;
    // A local that has no node at the header is not read in the loop.
    if (expected == nullptr) return;
    if (!is_phi || value == nullptr || value->type != expected->type)
      return refuse("a loop changes the type of a slot");
    add_input(expected, value);
  };
  for (u32 i = 0; i < header.locals.size(); ++i) continue_with(header.locals[i], frame.locals[i]);
  for (u32 i = 0; i < header.operands.size(); ++i) continue_with(header.operands[i], frame.operands[i]);
  if (!same_locks(header.locks, frame.locks)) refuse("different locks where paths meet");
}

void Builder::build_block(u32 number) {
  begun_ = number + 1;
  block_ = nullptr;
  if (incoming_[number].empty()) return;
  const FlowBlock& flow = flow_.blocks()[number];
  merge(number, entries_[number] != nullptr ? entries_[number] : blocks_[number]);
  if (flow.first == sought_instruction_) sought_frame_ = frame_;
  if (entries_[number] != nullptr) build_loop_entry(number);
  if (flow.is_loop_header) enter_loop(number);
  block_ = blocks_[number];
  if (entries_[number] != nullptr && number == 0 && graph_.loop_instruction && outer_ == nullptr) {
    state_ = nullptr;
    add_deoptimizing(Op::loop_entry, Type::None);  // for split_entered_loop (optimize/split_loops.cpp)
  }
  for (instruction_ = flow.first; instruction_ <= flow.last && block_ != nullptr; ++instruction_) {
    state_ = nullptr;
    build_instruction(instructions_.operation(instruction_), instructions_.word(instruction_));
  }
  if (block_ == nullptr) return;
  go_to(instruction_);
  add(Op::jump, Type::None);
}

// Builds the preheader. It has a loop_entry, whose frame state lets hoisted guards deoptimize before the loop begins.
void Builder::build_loop_entry(u32 number) {
  block_ = entries_[number];
  instruction_ = flow_.blocks()[number].first;
  state_ = nullptr;
  add_deoptimizing(Op::loop_entry, Type::None)->bits = iterations_of(number);
  graph_.connect(block_, blocks_[number]);
  add(Op::jump, Type::None);
}

// Returns the average number of iterations each time the loop is entered, from the profile; 0 if unknown. The
// preheader's loop_entry node keeps this number in `bits`.
u64 Builder::iterations_of(u32 number) const {
  if (!shape_.profile.exists()) return 0;
  f64 entries = 0;
  for (u32 from : flow_.blocks()[number].predecessors) entries += from < number ? shape_.profile.frequency_of(from) : 0;
  f64 iterations = entries == 0 ? 0 : shape_.profile.frequency_of(number) / entries;
  return static_cast<u64>(std::clamp(iterations, 0.0, 1e9));
}

bool Builder::may_hoist(u32 number) const {
  u32 header = instructions_.bci(flow_.blocks()[number].first);
  return inliner_.is_enabled() && inliner_.may_speculate(method(), header, DeoptReason::Hoisted);
}

void Builder::build_instruction(Operation operation, u64 word) {
  if (graph_.has_origins)
    graph_.origin = graph_.make_data<Origin>({method(), instructions_.bci(instruction_), outer_origin_});
  if (operation == Operation::checkcast_unresolved || operation == Operation::instanceof_unresolved)
    return build_unresolved_test(operation);
  if (interpreter::has(operation, interpreter::effect::unresolved)) return deoptimize(DeoptReason::Unresolved);
  switch (interpreter::row(operation).category) {
    case Category::constant: return build_constant(operation, word);
    case Category::local: return build_local(operation, word);
    case Category::shuffle: return build_shuffle(operation);
    case Category::arithmetic: return build_arithmetic(operation);
    case Category::branch: return is_switch(operation) ? build_switch(operation, word) : build_branch(operation);
    case Category::array: return build_array(operation);
    case Category::field:
    case Category::static_field: return build_field(operation, word);
    case Category::object: return build_object(operation, word);
    case Category::invoke: return build_invoke(operation, word);
    case Category::return_: return build_return(operation);
    case Category::monitor: return build_monitor(operation);
    case Category::linkage:
    case Category::superinstruction: break;
  }
  KEYHOLE_CHECK(false, "{} in a method", name_of(operation));
}

// --- nodes -----------------------------------------------------------------------------------------------------------

FrameState* Builder::state() {
  if (state_ != nullptr) return state_;
  std::vector<Node*> locals = frame_.locals;
  for (u32 i = 0; i < locals.size(); ++i) {
    if (!live_.is_live(instruction_, i)) locals[i] = nullptr;
  }
  state_ = graph_.make_frame_state({outer_,
                                    instructions_.method(),
                                    instruction_,
                                    instructions_.bci(instruction_),
                                    locals,
                                    frame_.operands,
                                    frame_.locks,
                                    {}});
  return state_;
}

f64 Builder::frequency() const { return activation_.frequency * shape_.profile.frequency_of(begun_ - 1); }

Node* Builder::add(Op op, Type type, std::initializer_list<Node*> inputs) {
  return add_with(op, type, std::span(inputs.begin(), inputs.size()));
}

Node* Builder::add_with(Op op, Type type, std::span<Node* const> inputs) {
  Node* node = graph_.make(op, type, inputs);
  Graph::append(block_, node);
  return node;
}

Node* Builder::add_deoptimizing(Op op, Type type, std::initializer_list<Node*> inputs) {
  FrameState* before = state();
  Node* node = add(op, type, inputs);
  node->state = before;
  return node;
}

Node* Builder::constant(Type type, u64 bits) {
  Node* node = add(Op::constant, type);
  node->bits = bits;
  return node;
}

Node* Builder::mirror_of(const Klass* klass) {
  Node* node = add(Op::mirror, Type::Reference);
  node->klass = klass;
  node->is_never_null = true;
  return node;
}

Node* Builder::compare(Condition condition, Node* left, Node* right) {
  Op op = left->type == Type::Reference ? Op::compare_reference : Op::compare_int;
  Node* node = add(op, Type::Int, {left, right});
  node->condition = condition;
  return node;
}

void Builder::guard(Node* condition, DeoptReason reason) {
  bool is_frequent =
      raises(reason) && catches() && !inliner_.may_speculate(method(), instructions_.bci(instruction_), reason);
  if (is_frequent) return raise_unless(condition);
  add_deoptimizing(Op::guard, Type::None, {condition})->reason = reason;
}

void Builder::guard_not_null(Node* object) {
  if (object->is_never_null || is_known_not_null(object)) return;
  guard(compare(Condition::NotEqual, object, constant(Type::Reference, 0)), DeoptReason::Null);
}

void Builder::deoptimize(DeoptReason reason) {
  add_deoptimizing(Op::uncommon_trap, Type::None)->reason = reason;
  block_ = nullptr;
}

void Builder::push(Node* value) {
  if (is_wide(value->type)) frame_.operands.push_back(nullptr);
  frame_.operands.push_back(value);
}

Node* Builder::pop() {
  Node* value = frame_.operands.back();
  frame_.operands.pop_back();
  if (is_wide(value->type)) frame_.operands.pop_back();
  return value;
}

}  // namespace keyhole::graph
