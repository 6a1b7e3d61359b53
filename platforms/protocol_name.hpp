// SPDX-License-Identifier: BSD-3-Clause
// What reports and records call the ways of a message.
#pragma once

#include <string_view>

#include "platforms/message_protocol.hpp"

namespace tutti::platforms {

std::string_view protocol_name(Protocol protocol);  // "eager", "detached", "rendezvous"

}  // namespace tutti::platforms
