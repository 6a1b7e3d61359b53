// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/message_protocol.hpp"

namespace tutti::platforms {

std::string_view protocol_name(Protocol protocol) {
  switch (protocol) {
    case Protocol::eager:
      return "eager";
    case Protocol::detached:
      return "detached";
    case Protocol::rendezvous:
      break;
  }
  return "rendezvous";
}

}  // namespace tutti::platforms
