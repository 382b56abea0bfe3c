// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// LambdaMetafactory, linked natively: reads the site's constants, generates the class.
#include "vm/link/indy/lambda.h"

#include "gc/heap/heap.h"
#include "vm/link/indy/indy.h"
#include "vm/link/release_behaviour.h"
#include "vm/link/well_known.h"

namespace keyhole::indy {

namespace {

std::atomic<u32> lambda_counter;

LazyMethod constant_target(linkage_class, "constant", "(Ljava/lang/Object;)Ljava/lang/Object;");

bool is_primitive(std::string_view descriptor) {
  BasicType type = basic_type_of_descriptor(descriptor[0]);
  return type != BasicType::Reference && type != BasicType::Void;
}
BasicType type_of(std::string_view descriptor) { return basic_type_of_descriptor(descriptor[0]); }

// "Ljava/lang/Integer;" -> "I"; empty when it is no wrapper.
std::string_view primitive_of_wrapper(std::string_view descriptor) {
  for (std::string_view primitive : {"Z", "C", "B", "S", "I", "J", "F", "D"}) {
    std::string_view wrapper = wrapper_of(primitive);
    if (descriptor.size() == wrapper.size() + 2 && descriptor.substr(1, wrapper.size()) == wrapper) return primitive;
  }
  return {};
}

void cast(CodeWriter& code, std::string_view from, std::string_view to) {
  if (from == to || to == object_descriptor) return;
  code.type_op(opcode::checkcast, class_name_of(to));
}

// Converts the top operand. `functional` is its type in the instantiated function type. A reference is cast to that
// type first, so that heap pollution is detected here and not inside the implementation.
void convert(CodeWriter& code, std::string_view from, std::string_view to, std::string_view functional) {
  if (from == to && from == functional) return;
  if (is_primitive(from)) {
    if (is_primitive(to)) {
      code.widen(type_of(from), type_of(to));
      return;
    }
    std::string_view boxed_as = primitive_of_wrapper(to);
    if (boxed_as.empty()) boxed_as = from;
    else code.widen(type_of(from), type_of(boxed_as));
    code.box(boxed_as);
    return;
  }
  std::string_view source = from;
  if (!is_primitive(functional)) {
    cast(code, from, functional);
    source = functional;
  }
  if (!is_primitive(to)) {
    cast(code, source, to);
    return;
  }
  std::string_view held = primitive_of_wrapper(source);
  if (!held.empty()) {
    code.unbox(held);
    code.widen(type_of(held), type_of(to));
  } else if (to == "Z" || to == "C") {
    code.unbox(to);
  } else {
    static constexpr std::string_view number = "java/lang/Number";
    static constexpr const char* names[] = {"floatValue", "doubleValue", "byteValue",
                                            "shortValue", "intValue",    "longValue"};
    code.type_op(opcode::checkcast, number);
    code.invoke(opcode::invokevirtual, number,
                names[static_cast<u32>(type_of(to)) - static_cast<u32>(BasicType::Float)], fmt::format("(){}", to));
  }
}

class LambdaClass {
 public:
  LambdaClass(const LambdaShape& shape, std::string name, const std::vector<std::string>& interfaces,
              bool accidentally_serializable)
      : shape_(shape), name_(std::move(name)), fields_(shape.captures),
        writer_(access::Final | access::Super | access::Synthetic, name_, "java/lang/Object", interfaces) {
    if (shape.through_handle()) fields_.push_back("Ljava/lang/invoke/MethodHandle;");
    constructor();
    forwarder(shape.method_descriptor);
    for (const std::string& bridge : shape.bridges)
      if (bridge != shape.method_descriptor) forwarder(bridge);
    if (shape.serializable) write_replace();
    else if (accidentally_serializable) refuse_serialization();
  }
  ClassWriter& writer() { return writer_; }
  bool has_fields() const { return !fields_.empty(); }

 private:
  static std::string field_name(usize index) { return fmt::format("arg${}", index + 1); }

  void constructor() {
    std::string descriptor = descriptor_of(fields_, "V");
    for (usize i = 0; i < fields_.size(); ++i)
      writer_.field(access::Private | access::Final, field_name(i), fields_[i]);
    CodeWriter code = writer_.method(access::Private, "<init>", descriptor);
    code.load(BasicType::Reference, 0);
    code.invoke(opcode::invokespecial, "java/lang/Object", "<init>", "()V");
    u32 local = 1;
    for (usize i = 0; i < fields_.size(); ++i) {
      code.load(BasicType::Reference, 0);
      code.load(type_of(fields_[i]), local);
      code.field(opcode::putfield, name_, field_name(i), fields_[i]);
      local += slot_count(type_of(fields_[i]));
    }
    code.return_value(BasicType::Void);
    code.end();
    if (fields_.empty()) return;

    CodeWriter factory =
        writer_.method(access::Static, "get$Lambda", descriptor_of(fields_, descriptor_of_class(shape_.interface)));
    factory.type_op(opcode::new_, name_);
    factory.op(opcode::dup);
    local = 0;
    for (const std::string& field : fields_) {
      factory.load(type_of(field), local);
      local += slot_count(type_of(field));
    }
    factory.invoke(opcode::invokespecial, name_, "<init>", descriptor);
    factory.return_value(BasicType::Reference);
    factory.end();
  }

  void load_field(CodeWriter& code, usize index) {
    code.load(BasicType::Reference, 0);
    code.field(opcode::getfield, name_, field_name(index), fields_[index]);
  }

  // The parameters of the implementation in the order of its method handle: the receiver comes first.
  std::vector<std::string> implementation_parameters(std::string& result) {
    std::vector<std::string> parameters = parameters_of(shape_.descriptor, &result);
    if (shape_.kind == ReferenceKind::NewInvokeSpecial) result = descriptor_of_class(shape_.owner);
    else if (shape_.kind != ReferenceKind::InvokeStatic) {
      // A handle for invokespecial, or for an inherited protected method, has its caller's class as the receiver's
      // type.
      std::string_view receiver = shape_.through_handle() && !shape_.implementation_holder->is_hidden
                                      ? shape_.caller->name->text()
                                      : std::string_view(shape_.owner);
      parameters.insert(parameters.begin(), descriptor_of_class(receiver));
    }
    return parameters;
  }

  void forwarder(const std::string& descriptor) {
    std::string result, expected, instantiated_result;
    std::vector<std::string> wanted = implementation_parameters(result);
    std::vector<std::string> given = parameters_of(descriptor, &expected);
    std::vector<std::string> instantiated = parameters_of(shape_.instantiated_descriptor, &instantiated_result);
    CodeWriter code = writer_.method(access::Public, shape_.method_name, descriptor);
    bool through_handle = shape_.through_handle();
    if (through_handle) load_field(code, fields_.size() - 1);
    else if (shape_.kind == ReferenceKind::NewInvokeSpecial) {
      code.type_op(opcode::new_, shape_.owner);
      code.op(opcode::dup);
    }
    usize captured = shape_.captures.size();
    for (usize i = 0; i < captured; ++i) {
      load_field(code, i);
      if (i < wanted.size() && is_primitive(fields_[i]) && is_primitive(wanted[i]))
        code.widen(type_of(fields_[i]), type_of(wanted[i]));
    }
    u32 local = 1;
    for (usize i = 0; i < given.size(); ++i) {
      code.load(type_of(given[i]), local);
      local += slot_count(type_of(given[i]));
      if (captured + i < wanted.size())
        convert(code, given[i], wanted[captured + i], i < instantiated.size() ? instantiated[i] : given[i]);
    }
    if (through_handle) {
      code.invoke(opcode::invokevirtual, "java/lang/invoke/MethodHandle", "invokeExact", descriptor_of(wanted, result));
    } else {
      invoke_implementation(code);
    }
    if (expected == "V") {
      if (result != "V") code.op(slot_count(type_of(result)) == 2 ? opcode::pop2 : opcode::pop);
      code.return_value(BasicType::Void);
    } else {
      convert(code, result, expected, expected);
      code.return_value(type_of(expected));
    }
    code.end();
  }

  void invoke_implementation(CodeWriter& code) {
    u8 instruction = opcode::invokevirtual;
    switch (shape_.kind) {
      case ReferenceKind::InvokeStatic: instruction = opcode::invokestatic; break;
      case ReferenceKind::NewInvokeSpecial: instruction = opcode::invokespecial; break;
      case ReferenceKind::InvokeInterface: instruction = opcode::invokeinterface; break;
      // The method is private, and this class is a nestmate, so an ordinary invoke may call it.
      case ReferenceKind::InvokeSpecial:
        instruction = shape_.owner_is_interface ? opcode::invokeinterface : opcode::invokevirtual;
        break;
      default: break;
    }
    code.invoke(instruction, shape_.owner, shape_.name, shape_.descriptor, shape_.owner_is_interface);
  }

  void write_replace() {
    static constexpr std::string_view form = "java/lang/invoke/SerializedLambda";
    CodeWriter code = writer_.method(access::Private | access::Final, "writeReplace", "()Ljava/lang/Object;");
    code.type_op(opcode::new_, form);
    code.op(opcode::dup);
    code.class_constant(shape_.caller->name->text());
    code.string(shape_.interface);
    code.string(shape_.method_name);
    code.string(shape_.method_descriptor);
    code.integer(static_cast<i32>(shape_.kind));
    code.string(shape_.owner);
    code.string(shape_.name);
    code.string(shape_.descriptor);
    code.string(shape_.instantiated_descriptor);
    code.integer(static_cast<i32>(shape_.captures.size()));
    code.type_op(opcode::anewarray, "java/lang/Object");
    for (usize i = 0; i < shape_.captures.size(); ++i) {
      code.op(opcode::dup);
      code.integer(static_cast<i32>(i));
      load_field(code, i);
      code.box(fields_[i]);
      code.op(opcode::aastore);
    }
    code.invoke(
        opcode::invokespecial, form, "<init>",
        "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;ILjava/lang/String;Ljava/lang/String;"
        "Ljava/lang/String;Ljava/lang/String;[Ljava/lang/Object;)V");
    code.return_value(BasicType::Reference);
    code.end();
  }

  // Writes writeObject and readObject that throw, for an interface that extends Serializable when the site is not
  // serializable.
  void refuse_serialization() {
    static constexpr std::string_view exception = "java/io/NotSerializableException";
    for (auto [name, descriptor] : {std::pair{"writeObject", "(Ljava/io/ObjectOutputStream;)V"},
                                    {"readObject", "(Ljava/io/ObjectInputStream;)V"}}) {
      CodeWriter code = writer_.method(access::Private | access::Final, name, descriptor);
      code.type_op(opcode::new_, exception);
      code.op(opcode::dup);
      code.string("Non-serializable lambda");
      code.invoke(opcode::invokespecial, exception, "<init>", "(Ljava/lang/String;)V");
      code.op(opcode::athrow);
      code.end();
    }
  }

  const LambdaShape& shape_;
  std::string name_;
  std::vector<std::string> fields_;
  ClassWriter writer_;
};

// Names the class: "p/Outer" -> "p/Outer$$Lambda$7", or without a number. The suffix of a hidden caller's name is
// changed, so that its slash does not look like the end of a package.
std::string lambda_name(const InstanceKlass* caller) {
  std::string name = caller->name->string();
  if (caller->is_hidden) {
    usize suffix = name.rfind("/0x");
    if (suffix == std::string::npos) suffix = name.rfind('+');
    if (suffix != std::string::npos) name[suffix] = '_';
  }
  if (!release::numbers_lambdas()) return name + "$$Lambda";
  return fmt::format("{}$$Lambda${}", name, lambda_counter.fetch_add(1, std::memory_order_relaxed) + 1);
}

}  // namespace

bool LambdaShape::through_handle() const {
  if (kind == ReferenceKind::InvokeSpecial && (implementation_flags & access::Private) == 0) return true;
  if (implementation_holder == nullptr) return false;
  if (implementation_holder->is_hidden) return true;
  return (implementation_flags & access::Protected) != 0 && !implementation_holder->is_array() &&
         !same_package(caller, implementation_holder) && owner[0] != '[';
}

InstanceKlass* make_lambda_class(JavaThread* thread, const LambdaShape& shape, Method*& factory) {
  std::vector<std::string> interfaces{shape.interface};
  bool serializable = shape.serializable;
  auto add = [&](const std::string& name) {
    for (const std::string& present : interfaces)
      if (present == name) return;
    interfaces.push_back(name);
  };
  for (const std::string& marker : shape.markers) add(marker);
  bool inherits_serializable = false;
  for (const std::string& name : interfaces) {
    Klass* klass = resolve_class(thread, SymbolHandle(name), shape.caller->loader);
    if (klass == nullptr) return nullptr;
    inherits_serializable |= klass->is_subtype_of(well_known::Serializable_class);
  }
  if (serializable && !inherits_serializable) add("java/io/Serializable");

  LambdaClass generated(shape, lambda_name(shape.caller), interfaces, inherits_serializable && !serializable);
  InstanceKlass* klass = define_generated(thread, generated.writer(), shape.caller);
  if (klass == nullptr) return nullptr;
  factory = generated.has_fields() ? method_named(klass, "get$Lambda") : nullptr;
  return klass;
}

namespace {

// Is a type equal to another one, or does the forwarder convert it? Rare conversions are not recognised.
bool converts(JavaThread* thread, const std::string& from, const std::string& to, LoaderData* loader) MAY_SAFEPOINT {
  static constexpr std::pair<std::string_view, std::string_view> wrappers[] = {
      {"I", "Ljava/lang/Integer;"}, {"J", "Ljava/lang/Long;"},      {"D", "Ljava/lang/Double;"},
      {"Z", "Ljava/lang/Boolean;"}, {"C", "Ljava/lang/Character;"}, {"F", "Ljava/lang/Float;"},
      {"B", "Ljava/lang/Byte;"},    {"S", "Ljava/lang/Short;"}};
  if (from == to) return true;
  if (from == "V" || to == "V") return false;
  bool from_reference = basic_type_of_descriptor(from[0]) == BasicType::Reference;
  bool to_reference = basic_type_of_descriptor(to[0]) == BasicType::Reference;
  if (to_reference && to == object_descriptor) return true;
  if (from_reference && to_reference) {
    Klass* lower = resolve_descriptor(thread, from, loader);
    Klass* upper = lower == nullptr ? nullptr : resolve_descriptor(thread, to, loader);
    return upper != nullptr && lower->is_subtype_of(upper);
  }
  for (const auto& [primitive, wrapper] : wrappers) {
    if ((from == primitive && to == wrapper) || (from == wrapper && to == primitive)) return true;
  }
  return false;
}

// May this be the descriptor of the interface's method or of a bridge? Each type must equal the instantiated one, or
// both must be references: the forwarder casts those.
bool is_erasure(const std::string& descriptor, const std::vector<std::string>& types, const std::string& result) {
  auto fits = [](const std::string& erased, const std::string& type) {
    return erased == type || (basic_type_of_descriptor(erased[0]) == BasicType::Reference &&
                              basic_type_of_descriptor(type[0]) == BasicType::Reference);
  };
  std::string erased_result;
  std::vector<std::string> erased = parameters_of(descriptor, &erased_result);
  return erased.size() == types.size() && fits(erased_result, result) &&
         std::equal(erased.begin(), erased.end(), types.begin(), fits);
}

// Do the types fit, as far as these simple rules show? The forwarder is not verified, so its types must fit. False
// without an exception: LambdaMetafactory decides in Java, where the messages for errors are. False with an exception
// pending: resolving a type failed.
bool fits_evidently(JavaThread* thread, const LambdaShape& shape) MAY_SAFEPOINT {
  LoaderData* loader = shape.caller->loader;
  Klass* interface = resolve_class(thread, SymbolHandle(shape.interface), loader);
  if (interface == nullptr || !interface->is_interface()) return false;
  std::string result, instantiated_result;
  std::vector<std::string> wanted = parameters_of(shape.descriptor, &result);
  std::vector<std::string> instantiated = parameters_of(shape.instantiated_descriptor, &instantiated_result);
  if (shape.kind == ReferenceKind::NewInvokeSpecial) result = descriptor_of_class(shape.owner);
  else if (shape.kind != ReferenceKind::InvokeStatic) wanted.insert(wanted.begin(), descriptor_of_class(shape.owner));
  std::vector<std::string> given = shape.captures;
  given.insert(given.end(), instantiated.begin(), instantiated.end());
  if (given.size() != wanted.size()) return false;
  if (!is_erasure(shape.method_descriptor, instantiated, instantiated_result)) return false;
  for (const std::string& bridge : shape.bridges) {
    if (!is_erasure(bridge, instantiated, instantiated_result)) return false;
  }
  usize receivers = wanted.size() - parameters_of(shape.descriptor).size();
  for (usize i = 0; i < given.size(); ++i) {
    bool is_capture = i >= receivers && i < shape.captures.size();
    if (is_capture ? given[i] != wanted[i] : !converts(thread, given[i], wanted[i], loader)) return false;
  }
  // Two references always fit as results, because the forwarder casts the reference that it returns.
  auto is_reference = [](const std::string& type) { return basic_type_of_descriptor(type[0]) == BasicType::Reference; };
  return instantiated_result == "V" || (is_reference(result) && is_reference(instantiated_result)) ||
         converts(thread, result, instantiated_result, loader);
}

}  // namespace

bool link_lambda(JavaThread* thread, Method* method, u32 constant_index, bool alternative, CallSiteLink& link,
                 bool& handled) {
  ConstantPool* constants = method->constants;
  const u16* bootstrap = constants->bootstraps[constants->first(constant_index)];
  u32 count = bootstrap[1];
  const u16* arguments = bootstrap + 2;
  auto has_tag = [&](u32 position, ConstantTag tag) {
    return position < count && constants->tag(arguments[position]) == tag;
  };
  auto method_type = [&](u32 position) {
    return constants->utf8(static_cast<u32>(constants->values[arguments[position]]))->string();
  };
  handled = false;
  if (!has_tag(0, ConstantTag::MethodType) || !has_tag(1, ConstantTag::MethodHandle) ||
      !has_tag(2, ConstantTag::MethodType))
    return true;
  if (!alternative && count != 3) return true;

  LambdaShape shape;
  shape.caller = constants->holder;
  std::string interface_descriptor;
  shape.captures = parameters_of(constants->ref_descriptor(constant_index)->text(), &interface_descriptor);
  shape.interface = class_name_of(interface_descriptor);
  shape.method_name = constants->ref_name(constant_index)->string();
  shape.method_descriptor = method_type(0);
  shape.instantiated_descriptor = method_type(2);
  if (alternative) {
    if (!has_tag(3, ConstantTag::Integer)) return true;
    u32 flags = static_cast<u32>(constants->integer(arguments[3]));
    u32 next = 4;
    shape.serializable = (flags & LambdaShape::serializable_flag) != 0;
    auto counted = [&](ConstantTag tag, auto&& take) {
      if (!has_tag(next, ConstantTag::Integer)) return false;
      for (i32 left = constants->integer(arguments[next++]); left > 0; --left, ++next) {
        if (!has_tag(next, tag)) return false;
        take(next);
      }
      return true;
    };
    if ((flags & LambdaShape::markers_flag) != 0 && !counted(ConstantTag::Class, [&](u32 at) {
          shape.markers.push_back(constants->class_name(arguments[at])->string());
        }))
      return true;
    if ((flags & LambdaShape::bridges_flag) != 0 &&
        !counted(ConstantTag::MethodType, [&](u32 at) { shape.bridges.push_back(method_type(at)); }))
      return true;
  }

  u64 handle = constants->values[arguments[1]];
  u32 reference = static_cast<u32>(handle) & 0xFFFF;
  shape.kind = static_cast<ReferenceKind>(handle >> 16);
  if (shape.kind < ReferenceKind::InvokeVirtual) return true;
  InvokeKind kind = InvokeKind::Special;
  if (shape.kind == ReferenceKind::InvokeVirtual) kind = InvokeKind::Virtual;
  else if (shape.kind == ReferenceKind::InvokeStatic) kind = InvokeKind::Static;
  else if (shape.kind == ReferenceKind::InvokeInterface) kind = InvokeKind::Interface;
  handled = true;
  ResolvedCall resolved;
  if (!resolve_call_at(thread, constants, reference, kind, method, resolved)) {
    // Resolves the method handle, because its exception has the message that java gives; the one at hand is worded
    // differently.
    HandleScope scope(thread);
    Handle failure = scope.make(take_exception(thread));
    bool is_null = false;
    static_cast<void>(resolve_object_at(thread, constants, arguments[1], &is_null));
    if (!has_exception(thread)) throw_object(thread, failure.get());
    return false;
  }
  shape.owner = constants->ref_class_name(reference)->string();
  shape.name = constants->ref_name(reference)->string();
  shape.descriptor = constants->ref_descriptor(reference)->string();
  shape.owner_is_interface = constants->tag(reference) == ConstantTag::InterfaceMethodref;
  shape.implementation_flags = resolved.method->access_flags;
  shape.implementation_holder = resolved.method->holder;

  if (!fits_evidently(thread, shape)) {
    handled = false;
    return !has_exception(thread);
  }
  Method* factory = nullptr;
  InstanceKlass* klass = make_lambda_class(thread, shape, factory);
  if (klass == nullptr) return false;
  if (factory == nullptr) {
    // The lambda captures nothing, so one instance serves all evaluations.
    link.target = constant_target.get(thread);
    if (link.target == nullptr) return false;
    link.appendix = heap::allocate_instance(thread, klass);
    if (link.appendix == nullptr) return throw_out_of_memory(thread, "Java heap space");
    return true;
  }
  link.target = factory;
  if (shape.through_handle()) {
    bool is_null = false;
    link.appendix = resolve_object_at(thread, constants, arguments[1], &is_null);
    if (link.appendix == nullptr) return false;
  }
  return true;
}

}  // namespace keyhole::indy
