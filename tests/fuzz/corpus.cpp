// SPDX-License-Identifier: BSD-3-Clause
// Runs inputs of fuzz targets through the release libraries, without a fuzzer. Each input has once
// found a bug, or reaches code that no other input does. tests/CMakeLists.txt compiles each target
// with a unique entry point.
// corpus TARGET FOLDER
// Exit code 0: all inputs of the folder passed; otherwise a signal or another exit code, with the
// input's path on stderr.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#define TUTTI_TARGET(name) extern "C" int fuzz_##name(const std::uint8_t* data, std::size_t size);
#include "corpus_targets.inc"
#undef TUTTI_TARGET

namespace {

struct Target {
  const char* name;
  int (*run)(const std::uint8_t*, std::size_t);
};

#define TUTTI_TARGET(name) {#name, &fuzz_##name},
const Target targets[] = {
#include "corpus_targets.inc"
};
#undef TUTTI_TARGET

char current[4096];
int original_stderr = STDERR_FILENO;

void name_input(int signal) {
  const char text[] = "corpus: this input fails: ";
  [[maybe_unused]] auto written = ::write(original_stderr, text, sizeof text - 1);
  written = ::write(original_stderr, current, std::strlen(current));
  written = ::write(original_stderr, "\n", 1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::vector<std::uint8_t> bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int main(int argc, char** argv) {
  const auto* target =
      argc == 3
          ? std::find_if(std::begin(targets), std::end(targets),
                         [&](const Target& each) { return std::strcmp(each.name, argv[1]) == 0; })
          : std::end(targets);
  if (target == std::end(targets)) {
    std::fputs("usage: corpus TARGET FOLDER\n", stderr);
    return 2;
  }
  std::vector<std::filesystem::path> inputs;
  for (const auto& entry : std::filesystem::directory_iterator(argv[2]))
    inputs.push_back(std::filesystem::absolute(entry.path()));
  std::sort(inputs.begin(), inputs.end());
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    std::signal(signal, name_input);
  // The output of the targets is discarded.
  original_stderr = ::dup(STDERR_FILENO);
  const int report = ::dup(STDOUT_FILENO);
  for (std::FILE* each : {stdout, stderr})
    if (std::freopen("/dev/null", "w", each) == nullptr) return 1;
  for (const auto& input : inputs) {
    std::snprintf(current, sizeof current, "%s", input.c_str());
    const auto bytes = bytes_of(input);
    target->run(bytes.data(), bytes.size());
  }
  ::dprintf(report, "%s: %zu inputs\n", target->name, inputs.size());
  return inputs.empty() ? 1 : 0;
}
