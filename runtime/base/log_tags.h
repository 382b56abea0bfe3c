// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The tags that -Xlog knows in HotSpot, by release. Keyhole's own lines use some of them (log.h).
#pragma once

#include <string_view>

#include "runtime/base/hotspot_version.h"

namespace keyhole::log {

// The tags are separated by blanks, in alphabetical order.
struct HotSpotTags {
  HotSpot first, last;
  std::string_view tags;
};
constexpr HotSpotTags hotspot_tags[] = {
    {HotSpot::v17, HotSpot::v25,
     "add age alloc annotation arguments attach barrier blocks bot breakpoint bytecode cds census class "
     "classhisto cleanup codecache compaction compilation condy constantpool constraints container coops "
     "cpu cset data datacreation dcmd decoder defaultmethods director dump dynamic ergo event exceptions "
     "exit fingerprint free freelist gc handshake hashtables heap humongous ihop iklass indy init inlining "
     "install interpreter itables jfr jit jni jvmci jvmti lambda library liveness load loader logging "
     "malloc map mark marking membername memops metadata metaspace methodcomparator methodhandles mirror "
     "mmu module monitorinflation monitormismatch nestmates nmethod nmt normalize numa objecttagging "
     "obsolete oldobject oom oopmap oops oopstorage os owner pagesize parser patch path perf periodic "
     "phases plab placeholders preorder preview promotion ptrqueue purge record redefine ref refine region "
     "reloc remset resolve safepoint sampling scavenge sealed setting smr stackbarrier stackmap stacktrace "
     "stackwalk start startup startuptime state stats streaming stringdedup stringtable subclass survivor "
     "suspend sweep symboltable system table task thread throttle timer tlab tracking trimnative unload "
     "unshareable update valuebasedclasses verification verify vmmutex vmoperation vmthread vtables "
     "vtablestubs"},
    {HotSpot::v25, HotSpot::v25,
     "aot array cause heapdump inlinecache jmethod link methodtrace monitortable native training"},
    {HotSpot::v17, HotSpot::v17, "biasedlocking time workgang"},
    {HotSpot::v21, HotSpot::v25,
     "continuations deoptimization dependencies fastlock finalizer page preempt stubs unmap"},
    {HotSpot::v17, HotSpot::v21, "protectiondomain"},
};

}  // namespace keyhole::log
