// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Ring: a circular doubly linked list through two members of its nodes, oldest first. Used for wait sets and queues.
//
//   oldest --> A <--> B <--> C <--> (A)        null if the list is empty. The newest node precedes the oldest, so
//                                              append finds it at once
//
// R1: one lock guards the list and the links of its nodes; links are null while a node is in no list.
#pragma once

namespace keyhole::sync {

// next, previous: the two link members of a node, each a W::Plain<Node*>.
template <auto next, auto previous> struct Ring {
  template <typename List, typename Node> static void append(List& oldest, Node* node) {
    Node* first = oldest.get();
    if (first == nullptr) {
      (node->*next).set(node);
      (node->*previous).set(node);
      oldest.set(node);
      return;
    }
    Node* last = (first->*previous).get();
    (node->*next).set(first);
    (node->*previous).set(last);
    (last->*next).set(node);
    (first->*previous).set(node);
  }

  template <typename List, typename Node> static void remove(List& oldest, Node* node) {
    Node* after = (node->*next).get();
    if (after == node) {
      oldest.set(nullptr);
    } else {
      Node* before = (node->*previous).get();
      (before->*next).set(after);
      (after->*previous).set(before);
      if (oldest.get() == node) oldest.set(after);
    }
    (node->*next).set(nullptr);
    (node->*previous).set(nullptr);
  }
};

}  // namespace keyhole::sync
