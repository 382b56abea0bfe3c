// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// dt_socket: one TCP connection to a debugger, which begins with the handshake and then carries packets.
//
// No function in this file touches the heap. A managed thread calls these functions in a NativeScope.
//
// T1: a single thread reads from the connection. Any thread may write; the lock lets one packet through at a time.
// T2: a connection is closed if it does not begin with the handshake, or if the debugger sends a packet that is too
//     long.
#pragma once

#include <atomic>
#include <string>

#include "runtime/base/mutex.h"
#include "vm/tools/jdwp/packet.h"

namespace keyhole::jdwp {

class Transport {
 public:
  // The functions below return an empty text, or java's error message ("ERROR: transport error 202: ...").
  std::string connect(const std::string& address, i64 timeout_milliseconds);
  std::string listen(const std::string& address);
  // Waits for a client and does the handshake with it. If the handshake fails, this function closes the client's
  // connection and waits for the next client.
  std::string accept(i64 timeout_milliseconds);

  u32 listening_port() const { return port_; }
  bool is_connected() const { return connection_.load(std::memory_order_acquire) >= 0; }
  // Reads a packet. Returns false if the connection is closed.
  bool read(Packet& packet);
  bool write_command(u32 id, u8 command_set, u8 command, std::span<const u8> data);
  bool write_reply(u32 id, Error error, std::span<const u8> data);
  // Shuts the connection down. This wakes the thread that reads.
  void hang_up();
  // Closes the descriptor. Called by the reading thread when it has finished.
  void close_connection();

 private:
  bool write(std::span<const u8> header, std::span<const u8> data);
  std::atomic<int> connection_{-1};
  int listener_ = -1;
  u32 port_ = 0;
  // Held while a packet is written and while the connection is closed, so that the descriptor is not closed during a
  // write.
  Mutex write_mutex_{LockRank::debugger_connection};
};

}  // namespace keyhole::jdwp
