// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Ids of objects: the debugger's numbers for them, independent of the collector.
//
//   id ---> Entry { object, references, strong }        weak: null once the object has died
//                                                       strong: while the debugger says DisableCollection
//
// Ids of classes are those of their mirrors; ids of fields, methods and frames are their addresses, which commands
// check before use.
//
// I1: an object has one id as long as it lives and the debugger has not disposed of it (DisposeObjects); ids are never
//     reused.
// I2: the map from objects to ids uses addresses and is rebuilt after a collection.
// I3: the table's lock is a leaf, held by managed threads and never across a poll: no thread holds it at a safepoint.
#pragma once

#include <string>
#include <vector>

#include "runtime/object/klass.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::jdwp::object_ids {

// Registers the table's roots with the collector. Called once.
void register_roots();

// The functions below are called by managed threads, or with the world stopped. 0 is the id of null.
u64 id_of(Object* object) TOUCHES_OBJECTS;
struct Found {
  Object* object = nullptr;
  bool is_known = false;  // false: no such id
};
Found find(u64 id);  // known without object: it has died

void give_back(u64 id, i32 references);
// Makes the table's reference strong or weak. False: there is no such object.
bool set_strong(u64 id, bool strong);
// Drops all ids, because the debugger has disconnected.
void forget_all();
// Signatures of the classes with ids that have died since the last call.
std::vector<std::string> take_unloaded_classes();

}  // namespace keyhole::jdwp::object_ids
