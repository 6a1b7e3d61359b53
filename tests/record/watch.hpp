// SPDX-License-Identifier: BSD-3-Clause
// The files that a call of `sim` may write, before and after the call.
#pragma once

#include <dirent.h>

#include <map>
#include <set>
#include <vector>

#include "tests/record/files.hpp"

namespace tutti::record {

constexpr std::size_t most_entries = 20000;      // of watched folders
constexpr off_t most_compared_bytes = 4L << 20;  // of a named file

// The state of a file in the file system.
struct Look {
  struct stat status {};
  std::string hash;  // of a named file that is not too long

  bool operator==(const Look& other) const {
    const auto& a = status;
    const auto& b = other.status;
    if (S_ISDIR(a.st_mode) && S_ISDIR(b.st_mode)) return true;
    return a.st_ino == b.st_ino && a.st_mode == b.st_mode && a.st_size == b.st_size &&
           a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec &&
           a.st_ctim.tv_sec == b.st_ctim.tv_sec && a.st_ctim.tv_nsec == b.st_ctim.tv_nsec &&
           hash == other.hash;
  }
};

using Looks = std::map<std::string, Look>;

class Watch {
 public:
  explicit Watch(const std::vector<std::string>& args) : here_(working_folder()) {
    add_folder(here_);
    for (const char* name : {"HOME", "XDG_DATA_HOME"})
      if (const char* home = std::getenv(name)) add_folder(home);
    for (std::size_t i = 1; i < args.size(); ++i) add_names(args[i]);
  }

  Looks look() const {
    Looks looks;
    for (const auto& folder : folders_) walk(folder, looks);
    for (const auto& path : named_) {
      Look file;
      if (::lstat(path.c_str(), &file.status) != 0) continue;
      // Includes the target of a link, which may be elsewhere.
      const std::string target = S_ISLNK(file.status.st_mode) ? real_path(path) : "";
      if (!target.empty()) put(target, looks);
      if (is_temporary(real_path(path))) walk(path, looks);
      put(path, looks);
    }
    return looks;
  }

  // Whether an argument names it, or a folder above it.
  bool names(const std::string& path) const {
    for (std::string each = path; each.size() > 1; each = folder_of(each))
      if (named_.contains(each) && each != here_) return true;
    return false;
  }

 private:
  void add_folder(const std::string& folder) {
    const std::string real = real_path(folder);
    if (!real.empty() && is_temporary(real)) folders_.insert(real);
  }

  // The argument, the texts after '=' and ':' in it, and the parts of a list.
  void add_names(const std::string& arg) {
    for (std::size_t begin = 0; begin != std::string::npos;) {
      add_name(arg.substr(begin));
      add_name(arg.substr(begin, arg.find(',', begin) - begin));
      begin = arg.find_first_of("=:,", begin);
      if (begin != std::string::npos) ++begin;
    }
  }

  void add_name(const std::string& name) {
    if (name.empty() || name.size() > 4000 || name.front() == '-') return;
    const std::string path = name.front() == '/' ? name : here_ + '/' + name;
    // The folder without links or dots, so that a file has one name.
    const std::string folder = real_path(folder_of(path));
    if (folder.empty()) return;
    const std::string last = path.substr(path.rfind('/') + 1);
    if (last.empty() || last == "." || last == "..") {
      if (const auto real = real_path(path); !real.empty()) named_.insert(real);
    } else {
      named_.insert((folder == "/" ? "" : folder) + '/' + last);
    }
    add_folder(folder);
  }

  void put(const std::string& path, Looks& looks) const {
    Look file;
    if (::lstat(path.c_str(), &file.status) != 0) return;
    if (S_ISREG(file.status.st_mode) && file.status.st_size <= most_compared_bytes)
      file.hash = hash_of(path);
    looks[path] = std::move(file);
  }

  static void walk(const std::string& folder, Looks& looks) {
    DIR* entries = ::opendir(folder.c_str());
    if (entries == nullptr) return;
    while (const dirent* entry = ::readdir(entries)) {
      const std::string name = entry->d_name;
      if (name == "." || name == ".." || looks.size() >= most_entries) continue;
      const std::string path = folder + '/' + name;
      Look file;
      if (::lstat(path.c_str(), &file.status) != 0) continue;
      const bool is_folder = S_ISDIR(file.status.st_mode);
      if (looks.emplace(path, std::move(file)).second && is_folder) walk(path, looks);
    }
    ::closedir(entries);
  }

  std::string here_;
  std::set<std::string> named_;
  std::set<std::string> folders_;
};

}  // namespace tutti::record
