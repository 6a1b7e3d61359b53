// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/commands.hpp"

int main(int argc, char** argv) {
  // A program may be started without even its own name.
  return tutti::commands::run_program({argv + (argc > 0 ? 1 : 0), argv + argc});
}
