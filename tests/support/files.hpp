// SPDX-License-Identifier: BSD-3-Clause
// Files of a test: a temporary folder, and files as text, lines or columns.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace tutti::tests {

// A folder in memory, where files do not wait for a disk.
inline std::filesystem::path folder_in_memory() {
  const std::filesystem::path memory = "/dev/shm";
  return ::access(memory.c_str(), W_OK | X_OK) == 0 ? memory
                                                    : std::filesystem::temp_directory_path();
}

// Removed on destruction.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(
      const std::filesystem::path& inside = std::filesystem::temp_directory_path()) {
    std::string name = (inside / "tutti-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  // Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name)) << text;
    return file(name);
  }

 private:
  std::string path_;
};

// Names, sorted.
inline std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

inline std::string read_file(const std::string& path) {
  std::ifstream file(path);
  REQUIRE_MESSAGE(file, path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The built manual, next to the program.
inline std::string manual_path() {
  return (std::filesystem::path(TUTTI_SIM).parent_path() / "share/man/man1/sim.1").string();
}
// The manual's text with escaped minus signs as plain ones.
inline std::string read_manual() {
  std::string manual = read_file(manual_path());
  for (std::size_t at; (at = manual.find("\\-")) != std::string::npos;) manual.replace(at, 2, "-");
  return manual;
}

inline bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  if (!text.empty() && text.back() == separator && separator != '\n') parts.emplace_back();
  return parts;
}

// The lines that are neither empty nor comments.
inline std::vector<std::string> data_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (auto& line : split(text, '\n'))
    if (!line.empty() && line.front() != '#') lines.push_back(std::move(line));
  return lines;
}

}  // namespace tutti::tests
