// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// dt_socket: one TCP connection to a debugger, which begins with the handshake and then carries packets.
//
// No function here touches the heap. Managed threads call them in a NativeScope.
//
// T1: one thread reads; any thread writes, one packet at a time.
// T2: a connection that does not begin with the handshake, or sends an overlong packet, is closed.
#pragma once

#include <atomic>
#include <string>

#include "runtime/base/mutex.h"
#include "vm/tools/jdwp/packet.h"

namespace keyhole::jdwp {

class Transport {
 public:
  // These functions return an empty text, or java's error ("ERROR: transport error 202: ...").
  std::string connect(const std::string& address, i64 timeout_milliseconds);
  std::string listen(const std::string& address);
  // Waits for a connection and does the handshake. A client that fails it is refused, and the waiting goes on.
  std::string accept(i64 timeout_milliseconds);

  u32 listening_port() const { return port_; }
  bool is_connected() const { return connection_.load(std::memory_order_acquire) >= 0; }
  // Reads a packet. False: there is no connection any more.
  bool read(Packet& packet);
  bool write_command(u32 id, u8 command_set, u8 command, std::span<const u8> data);
  bool write_reply(u32 id, Error error, std::span<const u8> data);
  // Shuts the connection down, which wakes the reader.
  void hang_up();
  // Called by the reader when it has finished.
  void close_connection();

 private:
  bool write(std::span<const u8> header, std::span<const u8> data);
  std::atomic<int> connection_{-1};
  int listener_ = -1;
  u32 port_ = 0;
  // Held to write one packet, and to close the connection, so that it is not closed under a writer.
  Mutex write_mutex_{LockRank::debugger_connection};
};

}  // namespace keyhole::jdwp
