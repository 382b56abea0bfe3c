// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Class unloading: when a class unit (class_unit.h) dies, and which references to it must be dropped.
//
//        object ----> klass ----------------------+                        marking sees:
//        frame  ----> method ---> klass ----------+--> unit is reached     an object whose klass has a `liveness`,
//        mirror ----------------> klass ----------+         |              a mirror of such a class, a frame,
//        class loader's object -------------------+         v              a class loader's object
//                                                     its roots: mirrors, statics, resolved constants, call sites,
//                                                                the loader's object
//                                                     other units: those its classes were linked to (dictionary),
//                                                                  its nest host, its loader's
//
//   marking         begin              only pinned units are reached
//                   visit_reached      repeatedly, until tracing reaches no further unit (strong references; once
//                                      more after finalizers)
//                   references         WeakReferences to loaders, mirrors and instances are cleared
//                   unlink             unreached units are dead: log lines; live data drops them
//                   release or move    no dead object is left in any region that can be walked
//   end of pause    purge              ids and memory of the dead are free
//
// U1: only collections that mark everything unload: full ones, and the marking of old regions (`Pause Remark`). Young
//     and mixed collections treat all units as roots: they do not know what is live in the regions that they do not
//     collect.
// U2: the units of the boot, platform and application loaders never die. Their classes have no `liveness`, and marking
//     an instance of theirs costs one comparison.
// U3: all strong references between units are in the dictionaries, in ClassUnit::kept_, or in objects. All other
//     references to classes of another unit are weak, are listed in unlink(), and are cleared by it: inline caches in
//     instructions, tables beside the classes.
// U4: compiled code speculates on no receivers of mortal classes other than those of its own unit
//     (jit/baseline/emitters/emit_invoke.cpp), so it refers to no unit that may die before its own. Code of a dead unit
//     is in no frame, because frames reach their method's unit.
// U5: an id, and memory, is reused after purge: then no header, instruction, code or table has it, so ids need no
//     generation, and a stale one is caught by the verifier as an object without class.
// U6: between two safepoints of a thread that holds a raw Klass or Method, the class's loader, mirror or an instance is
//     in a handle, a frame or a pinned unit.
//
// A Throwable's backtrace refers to methods: it keeps their mirrors beside them (exceptions.cpp).
#pragma once

#include "vm/link/loading/class_unit.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole {

// Registers with the collector. Called once.
void register_class_unloading();

// Is the unit unreached? Only valid while unlink() runs.
inline bool is_dead(const ClassUnit& unit) { return unit.is_mortal && !unit.visited; }
inline bool is_dead(const Klass* klass) { return klass->liveness != nullptr && is_dead(*klass->unit); }

// Classes that have been unloaded since start.
u64 unloaded_class_count();
// The bytes of metadata in use: of all units, and of those units that may die.
struct MetadataBytes {
  usize all, mortal;
};
MetadataBytes metadata_bytes();  // world stopped

// --- what unlink() calls: each drops the entries of dead classes; world stopped --------------------------------------
void forget_call_sites_of_dead_classes();         // indy/call_site.cpp
void forget_failures_of_dead_classes();           // resolution_failures.cpp
void forget_constraints_of_dead_loaders();        // loader_constraints.cpp
void forget_dead_subtypes(InstanceKlass* klass);  // class_hierarchy.cpp; of a live class

}  // namespace keyhole
