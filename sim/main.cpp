// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/commands.hpp"

int main(int argc, char** argv) {
  // argv may be empty, even without the name of the program.
  return tutti::commands::run_program({argv + (argc > 0 ? 1 : 0), argv + argc});
}
