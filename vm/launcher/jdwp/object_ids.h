// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Ids of objects: numbers that the debugger knows them by, whatever the collector does with them.
//
//   id ---> Entry { object, references, strong }        weak: null once the object has died
//                                                       strong: while the debugger says DisableCollection
//
// Ids of classes are those of their mirrors; fields, methods and frames are named by their addresses, which commands
// check before they use them.
//
// I1: an object has one id as long as it lives and the debugger has not given it back (DisposeObjects); ids are never
//     reused.
// I2: the way back, from an object to its id, goes by addresses and is made again after a collection.
// I3: the table's lock is a leaf, held by managed threads and never across a poll: nobody has it at a safepoint.
#pragma once

#include <string>
#include <vector>

#include "runtime/object/klass.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::jdwp::object_ids {

// Tells the collector. Once.
void register_roots();

// All by managed threads, or with the world stopped. 0 is null.
u64 id_of(Object* object);
struct Found {
  Object* object = nullptr;
  bool is_known = false;   // false: no such id
};
Found find(u64 id);   // known without object: it has died

void give_back(u64 id, i32 references);
// False: no such object.
bool set_strong(u64 id, bool strong);
// The debugger has gone: nothing is known any more.
void forget_all();
// Signatures of the classes that had ids and have died since the last question.
std::vector<std::string> take_unloaded_classes();

}  // namespace keyhole::jdwp::object_ids
