// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class unit: classes that die together, and everything that the VM has made for them. (HotSpot: ClassLoaderData.)
//
//   class loader --LoaderData-->  unit: all its classes but those below              mortal, unless the loader is boot,
//                            |                                                       platform or application
//                            \->  unit of one hidden class, and what is made for it   mortal
//
//   a unit owns:  Klass, Method, constant pool, MethodCode, call sites, tables   in `arena`
//                 symbols: names in its constant pools, of its arrays        held, and dropped when it dies
//                                                                            (runtime/base/symbol.h)
//                 frame maps, compiled code                                  found from its methods, freed with them
//                 the VM's references to objects on behalf of its classes    in its klasses, and in `roots`
//                 other things given to it                                   `adopt`
//
// When a unit dies, and what keeps it alive: class_unloading.h. Nothing that can outlive a unit may point into it,
// except as listed there.
//
// The loader's mutex (LoaderData::mutex) guards all of it. While the world is stopped it is read without the mutex.
#pragma once

#include <forward_list>
#include <utility>
#include <vector>

#include "runtime/base/arena.h"
#include "runtime/base/symbol.h"
#include "runtime/object/klass.h"

namespace keyhole {

namespace gc {
class RootVisitor;
}
struct ConstantPool;

struct ClassUnit : ClassLiveness {
  ClassUnit(LoaderData* loader, bool is_mortal, bool is_hidden)
      : loader(loader), is_mortal(is_mortal), is_hidden(is_hidden) {}
  ~ClassUnit();
  ClassUnit(const ClassUnit&) = delete;
  ClassUnit& operator=(const ClassUnit&) = delete;

  LoaderData* const loader;
  const bool is_mortal;
  const bool is_hidden;  // a hidden class's own unit; false: the loader's unit
  bool visited = false;  // by the marking that runs
  u32 pins = 0;          // a class is being defined, and nothing else may refer to it yet; or a thread
                         // compiles methods of the unit
  Arena arena;
  std::vector<Klass*> klasses;
  ConstantPool* pools = nullptr;  // in a mortal unit: all pools made in `arena`, latest first

  // Gives a klass just made in `arena` its id. False: no id is left, and the klass does not join the unit
  // (add_class, metadata_limit.h).
  [[nodiscard]] bool try_add(Klass* klass);
  // The same for the VM's own classes; failure is fatal.
  void add(Klass* klass);
  // Makes a root that lives as long as the unit. Its address does not change.
  Object** make_root(Object* object);
  // Frees `thing` when the unit dies.
  void adopt(void* thing, void (*release)(void*)) { adopted_.push_back({thing, release}); }
  // The symbol lives as long as this unit does.
  void keep(SymbolHandle symbol) { kept_symbols_.push_front(std::move(symbol)); }
  // `other` lives as long as this unit does, whatever else refers to it.
  void keep(ClassUnit* other);

  // Visits the roots that this unit holds for its classes; marks the units that it needs as reached.
  void visit_roots(gc::RootVisitor& visitor);

 private:
  struct Adopted {
    void* thing;
    void (*release)(void*);
  };
  std::forward_list<Object*> roots_;
  std::vector<ClassUnit*> kept_;
  std::forward_list<SymbolHandle> kept_symbols_;
  std::vector<Adopted> adopted_;
};

// The unit of a hidden class, with one pin. Called by a managed thread, while the world is not stopped.
ClassUnit* make_hidden_unit(LoaderData* loader);
// Keeps a living unit, and the units that it needs, alive until unpin(). Called by a managed thread, which has reached
// no safepoint since it knew that the unit lives.
void pin(ClassUnit* unit);
void unpin(ClassUnit* unit);
// Frees a pinned unit in which no class was made.
void drop_unit(ClassUnit* unit);

}  // namespace keyhole
