// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// com.sun.nio.sctp: opening a channel fails. Without libsctp, or on a kernel without SCTP, the reason is the one that
// java gives.
#include <dlfcn.h>
#include <netinet/in.h>
#include <unistd.h>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/io/inet_address.h"

namespace keyhole::natives {

// For a channel with one association, or with many.
i32 SctpNet_socket0(JavaThread* thread, bool has_one) {
  constexpr const char* unsupported = "java/lang/UnsupportedOperationException";
  if (dlopen("libsctp.so.1", RTLD_LAZY) == nullptr) {
    io::throw_named(thread, unsupported, dlerror());
    return -1;
  }
  int number = socket(io::ipv6_available() ? AF_INET6 : AF_INET, has_one ? SOCK_STREAM : SOCK_SEQPACKET, IPPROTO_SCTP);
  if (number >= 0) {
    close(number);
    io::throw_named(thread, unsupported, "Keyhole has no SCTP channels");
  } else if (errno == EPROTONOSUPPORT || errno == ESOCKTNOSUPPORT) {
    io::throw_named(thread, unsupported, io::error_text(errno));
  } else {
    io::throw_named(thread, "java/net/SocketException", io::error_text(errno));
  }
  return -1;
}

}  // namespace keyhole::natives
