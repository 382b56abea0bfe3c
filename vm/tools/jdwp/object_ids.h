// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Object ids: the numbers by which the debugger knows objects. They do not change when the collector moves an object.
//
//   id ---> Entry { object, references, strong }        weak: null once the object has died
//                                                       strong: while the debugger says DisableCollection
//
// The id of a class is the id of its mirror. The id of a field, method or frame is its address, which commands check
// before use.
//
// I1: an object has a single id, until it dies or the debugger disposes of the id (DisposeObjects). Ids are never
//     reused.
// I2: the map from objects to ids is keyed by address, and is rebuilt after a collection.
// I3: the table's lock is a leaf lock. Managed threads hold it, but never across a safepoint poll, so no thread holds
//     it at a safepoint.
#pragma once

#include <string>
#include <vector>

#include "runtime/object/klass.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::jdwp::object_ids {

// Registers the table's roots with the collector. Called once.
void register_roots();

// The functions below are called by managed threads, or while the world is stopped. The id 0 stands for null.
u64 id_of(Object* object) TOUCHES_OBJECTS;
struct Found {
  Object* object = nullptr;
  bool is_known = false;  // false: no such id
};
Found find(u64 id);  // `known` and no object: the object with this id has died

void give_back(u64 id, i32 references);
// Makes the table's reference to an object strong or weak. Returns false if no object has this id.
bool set_strong(u64 id, bool strong);
// Drops all ids. Called when the debugger has disconnected.
void forget_all();
// Returns the signatures of classes that had an id and were unloaded since the last call.
std::vector<std::string> take_unloaded_classes();

}  // namespace keyhole::jdwp::object_ids
