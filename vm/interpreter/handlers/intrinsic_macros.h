// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Intrinsic macros: the arguments of an entry without a frame, and its return.
#pragma once

// Slot `index` of an argument list of `count` slots. The value of a long or double is in the upper of its two slots.
#define ARGUMENT(index, count) (sp[1 - (count) + (index)])
#define RETURN_SLOTS(count, slots, value) \
  do {                                    \
    tos = (value);                        \
    sp += (slots) - (count);              \
    NEXT();                               \
  } while (0)
// Pops `count` argument slots and pushes a result of one slot.
#define RETURN_ONE(count, value) RETURN_SLOTS(count, 1, value)
#define RETURN_WIDE(count, value) RETURN_SLOTS(count, 2, value)
#define RETURN_NOTHING(count) \
  do {                        \
    sp -= (count);            \
    tos = *sp;                \
    NEXT();                   \
  } while (0)
#define RUN_BODY() GO(interp_entry_interpreted)
