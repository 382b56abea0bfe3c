// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers of the Java Debug Wire Protocol, as its specification names them.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::jdwp {

enum class Error : u16 {
  None = 0,
  InvalidThread = 10,
  InvalidThreadGroup = 11,
  ThreadNotSuspended = 13,
  ThreadNotAlive = 15,
  InvalidObject = 20,
  InvalidClass = 21,
  ClassNotPrepared = 22,
  InvalidMethodid = 23,
  InvalidFieldid = 25,
  InvalidFrameid = 30,
  OpaqueFrame = 32,
  TypeMismatch = 34,
  InvalidSlot = 35,
  InvalidModule = 42,
  InvalidClassFormat = 60,
  FailsVerification = 62,
  AddMethodNotImplemented = 63,
  SchemaChangeNotImplemented = 64,
  HierarchyChangeNotImplemented = 66,
  DeleteMethodNotImplemented = 67,
  UnsupportedVersion = 68,
  NamesDontMatch = 69,
  ClassModifiersChangeNotImplemented = 70,
  MethodModifiersChangeNotImplemented = 71,
  ClassAttributeChangeNotImplemented = 72,
  NotImplemented = 99,
  AbsentInformation = 101,
  InvalidEventType = 102,
  IllegalArgument = 103,
  OutOfMemory = 110,
  VmDead = 112,
  Internal = 113,
  InvalidIndex = 503,
  InvalidLength = 504,
  InvalidString = 506,
  InvalidClassLoader = 507,
  InvalidArray = 508,
  NativeMethod = 511,
  InvalidCount = 512,
};

enum class EventKind : u8 {
  SingleStep = 1,
  Breakpoint = 2,
  FramePop = 3,
  Exception = 4,
  UserDefined = 5,
  ThreadStart = 6,
  ThreadEnd = 7,
  ClassPrepare = 8,
  ClassUnload = 9,
  ClassLoad = 10,
  FieldAccess = 20,
  FieldModification = 21,
  ExceptionCatch = 30,
  MethodEntry = 40,
  MethodExit = 41,
  MethodExitWithReturnValue = 42,
  MonitorContendedEnter = 43,
  MonitorContendedEntered = 44,
  MonitorWait = 45,
  MonitorWaited = 46,
  VmStart = 90,
  VmDeath = 99,
};

enum class SuspendPolicy : u8 { None = 0, EventThread = 1, All = 2 };
enum class TypeTag : u8 { Class = 1, Interface = 2, Array = 3 };
enum class ThreadStatus : i32 { Zombie = 0, Running = 1, Sleeping = 2, Monitor = 3, Wait = 4 };

namespace class_status {
inline constexpr i32 verified = 1, prepared = 2, initialized = 4, error = 8;
}

// Tags of values. The tags of primitive types are the characters of their descriptors.
namespace tag {
inline constexpr u8 array = '[', object = 'L', string = 's', thread = 't', thread_group = 'g', class_loader = 'l',
                    class_object = 'c', nothing = 'V';
}

// flag added to the modifiers of the class file
inline constexpr i32 synthetic_modifier = static_cast<i32>(0xF000'0000);
inline constexpr i32 id_bytes = 8;  // size in bytes of each kind of id
inline constexpr u8 event_command_set = 64, composite_command = 100;

}  // namespace keyhole::jdwp
