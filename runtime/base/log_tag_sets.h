// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The tag sets of HotSpot's log lines, by release. A selection of -Xlog that matches none of them gets a warning. The
// lists were taken from `java` 17 and 25; release 21 gets both.
#pragma once

#include "runtime/base/log_tags.h"

namespace keyhole::log {

// The tag sets are separated by blanks, in alphabetical order.
constexpr HotSpotTags hotspot_tag_sets[] = {
    {HotSpot::v17, HotSpot::v25,
     "arguments attach cds cds+class cds+dynamic cds+reloc class class+init class+load class+load+placeholders "
     "class+loader+constraints class+loader+data class+nestmates class+path class+preorder class+preview "
     "class+resolve class+sealed class+unload codecache compilation compilation+codecache defaultmethods ergo "
     "exceptions gc gc+age gc+alloc gc+alloc+region gc+alloc+stats gc+barrier gc+bot gc+breakpoint gc+classhisto "
     "gc+classhisto+start gc+compaction gc+cpu gc+director gc+ergo gc+ergo+cset gc+ergo+heap gc+ergo+ihop "
     "gc+ergo+refine gc+heap gc+heap+coops gc+heap+exit gc+heap+numa gc+heap+region gc+heap+verify gc+humongous "
     "gc+ihop gc+init gc+jni gc+liveness gc+load gc+marking gc+metaspace gc+metaspace+freelist "
     "gc+metaspace+freelist+oom gc+mmu gc+nmethod gc+nmethod+oops gc+periodic gc+phases gc+phases+ref "
     "gc+phases+start gc+phases+task gc+plab gc+promotion gc+ref gc+ref+start gc+refine gc+refine+stats gc+region "
     "gc+reloc gc+remset gc+remset+exit gc+remset+tracking gc+start gc+stats gc+task gc+task+start gc+tlab "
     "gc+verify gc+verify+start handshake handshake+task init interpreter+oopmap interpreter+safepoint itables "
     "jfr jfr+dcmd jfr+event jfr+metadata jfr+oldobject+sampling jfr+setting jfr+start jfr+startup jfr+system "
     "jfr+system+bytecode jfr+system+event jfr+system+metadata jfr+system+parser jfr+system+setting "
     "jfr+system+streaming jfr+system+throttle jit+compilation jit+inlining jit+thread jni+resolve jvmti "
     "jvmti+objecttagging jvmti+table library logging logging+thread membername+table membername+table+perf "
     "metaspace methodhandles methodhandles+condy methodhandles+indy module module+load module+patch "
     "module+unload monitorinflation monitorinflation+owner monitormismatch nmethod+barrier nmethod+install nmt "
     "oopstorage+blocks oopstorage+blocks+stats oopstorage+ref os os+container os+cpu os+thread os+thread+timer "
     "pagesize perf+datacreation perf+memops redefine+class redefine+class+annotation redefine+class+breakpoint "
     "redefine+class+constantpool redefine+class+dump redefine+class+iklass+add redefine+class+iklass+purge "
     "redefine+class+interpreter+oopmap redefine+class+load redefine+class+load+exceptions "
     "redefine+class+methodcomparator redefine+class+nestmates redefine+class+nmethod redefine+class+normalize "
     "redefine+class+obsolete redefine+class+obsolete+mark redefine+class+obsolete+metadata redefine+class+oopmap "
     "redefine+class+record redefine+class+stackmap redefine+class+subclass redefine+class+timer "
     "redefine+class+update redefine+class+update+constantpool redefine+class+update+itables "
     "redefine+class+update+vtables safepoint safepoint+stats stackbarrier stacktrace stackwalk startuptime "
     "stringdedup stringdedup+init stringdedup+phases stringdedup+phases+start stringtable stringtable+perf "
     "symboltable symboltable+perf thread+smr thread+suspend thread+table trimnative valuebasedclasses "
     "verification vmoperation vmthread vtables vtablestubs"},
    {HotSpot::v17, HotSpot::v21,
     "biasedlocking biasedlocking+handshake cds+hashtables cds+heap cds+heap+mirror cds+jvmti cds+lambda cds+map "
     "cds+mirror cds+unshareable cds+verification cds+vtables class+unload+nmethod codecache+sweep "
     "codecache+sweep+start decoder gc+jvmci gc+ptrqueue+freelist gc+region+cds gc+task+time protectiondomain "
     "protectiondomain+table safepoint+cleanup"},
    {HotSpot::v21, HotSpot::v25,
     "aot aot+class aot+codecache aot+codecache+exit aot+codecache+init aot+codecache+reloc "
     "aot+codecache+stringtable aot+codecache+stubs aot+hashtables aot+heap aot+heap+mirror aot+init aot+jvmti "
     "aot+lambda aot+link aot+load aot+map aot+map+oops aot+mirror aot+module aot+ref aot+reloc aot+resolve "
     "aot+training aot+unshareable aot+verification aot+vtables class+load+array class+load+cause "
     "class+load+cause+native compilation+alloc continuations continuations+preempt deoptimization dependencies "
     "finalizer gc+cset gc+exit gc+free gc+freelist gc+nmethod+barrier gc+os gc+page gc+thread heapdump "
     "inlinecache jfr+methodtrace jfr+periodic jfr+system+periodic jfr+system+sampling jmethod jni metaspace+map "
     "methodtrace monitortable monitortable+perf os+map perf+class+link stubs training vmmutex"},
};

}  // namespace keyhole::log
