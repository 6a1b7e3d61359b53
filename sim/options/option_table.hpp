// SPDX-License-Identifier: BSD-3-Clause
// The options of a command or a workload, each bound to the variable that gets its value:
//
//   const OptionTable<Request> table{
//       {group, "--procs", "N", "Number of processes (required)", required("..."),
//        list(count_axis, &Request::procs)},
//       {group, "--force", "", "Simulate even if ...", flag(&Request::force)}};
//   table.read(reader, request);  // the options that are given, in the order of the table
//
// A place is a pointer to a member, or a function from the request to the variable.
#pragma once

#include <concepts>
#include <initializer_list>
#include <type_traits>

#include "sim/base/common.hpp"
#include "sim/options/option_reader.hpp"

namespace tutti::options {

// Stores the value of an option in its variable; errors go to the reader.
template <class Request>
struct Binding {
  std::function<void(OptionReader&, std::string_view option, Request&)> read;
  std::string words;  // valid values, for completion

  Binding() = default;
  template <class Read>
  requires std::invocable<Read&, OptionReader&, std::string_view, Request&> Binding(
      const Read& function)
      : read(function) {  // NOLINT: implicit, a function is a binding
    if constexpr (requires { function.words; }) words = function.words;
  }
  template <class Part>
  Binding(const Binding<Part>& part) : words(part.words) {  // NOLINT: implicit, of a base class
    if (part) read = part.read;
  }
  explicit operator bool() const { return static_cast<bool>(read); }
  void operator()(OptionReader& reader, std::string_view option, Request& request) const {
    read(reader, option, request);
  }
};

// A binding of an option that takes these words.
template <class Read>
struct Worded : Read {
  std::string words;
};
template <class Read>
Worded<Read> with_words(std::string words, Read read) {
  return {std::move(read), std::move(words)};
}

template <class Request>
using Together = std::function<void(OptionReader&, Request&)>;

// Marks a required option; `what` is the hint of the error if it is missing.
struct Required {
  std::string_view what;
};
constexpr Required required(std::string_view what) { return {what}; }

// Valid values of an option, for completion.
struct Takes {
  std::string_view words;
};
constexpr Takes takes(std::string_view words) { return {words}; }

template <class Request>
struct Option {
  OptionSpec spec;
  Binding<Request> read = {};
  std::string_view what_is_missing = {};  // hint; not empty: the option is required

  Option(const OptionSpec& row, Binding<Request> binding = {})  // NOLINT: rows of a table
      : Option(row, Required{}, std::move(binding)) {}
  Option(const OptionSpec& row, Required must, Binding<Request> binding)
      : spec(row), read(std::move(binding)), what_is_missing(must.what) {
    if (!read.words.empty()) spec.words = kept_text(read.words);
  }
  Option(std::string_view group, std::string_view names, std::string_view value,
         std::string_view help, Binding<Request> binding = {})
      : Option(OptionSpec{group, names, value, help}, std::move(binding)) {}
  Option(std::string_view group, std::string_view names, std::string_view value,
         std::string_view help, Takes taken, Binding<Request> binding = {})
      : Option(taking(taken.words, {group, names, value, help}), std::move(binding)) {}
  // An option of a base class of the request.
  template <class Part>
  requires std::derived_from<Request, Part> Option(
      const Option<Part>& option)  // NOLINT: the same option
      : spec(option.spec), read(option.read), what_is_missing(option.what_is_missing) {}
};

template <class Request>
class OptionTable {
 public:
  OptionTable(std::initializer_list<Option<Request>> options) {
    for (const auto& option : options) add(option);
  }

  // Appends the options of a base class of the request.
  template <class Part>
  OptionTable& operator+=(const OptionTable<Part>& part) {
    for (const auto& option : part.options()) add(option);
    for (const auto& read : part.together()) together_.push_back(read);
    return *this;
  }
  template <class Part>
  OptionTable operator+(const OptionTable<Part>& part) const& {
    return OptionTable(*this) + part;
  }
  template <class Part>
  OptionTable operator+(const OptionTable<Part>& part) && {
    return std::move(*this += part);
  }

  // Adds a function that is called after all options are read, whether they are given or not.
  OptionTable then(Together<Request> read) && {
    read_together(std::move(read));
    return std::move(*this);
  }
  void read_together(Together<Request> read) { together_.push_back(std::move(read)); }

  // The options for a request that has this request as a member.
  template <class Outer, class Member>
  OptionTable<Outer> of(Member Outer::*member) const {
    OptionTable<Outer> outer({});
    for (const auto& [spec, read, what_is_missing] : options_) {
      Option<Outer> row(spec, Required{what_is_missing}, {});
      if (read)
        row.read = [member, read](OptionReader& reader, std::string_view name, Outer& request) {
          read(reader, name, request.*member);
        };
      outer.add(row);
    }
    for (const auto& read : together_)
      outer.read_together(
          [member, read](OptionReader& reader, Outer& request) { read(reader, request.*member); });
    return outer;
  }

  const std::vector<Option<Request>>& options() const { return options_; }
  std::span<const OptionSpec> specs() const& { return specs_; }
  std::span<const OptionSpec> specs() const&& = delete;            // would dangle
  operator std::span<const OptionSpec>() const { return specs_; }  // NOLINT: what it is

  const std::vector<Together<Request>>& together() const { return together_; }

  // Reads the given options into `request`; leaves the rest of it unchanged.
  void read(OptionReader& reader, Request& request) const {
    for (const auto& option : options_) {
      const auto name = option.spec.name();
      if (reader.values().has(name)) {
        if (option.read) option.read(reader, name, request);
      } else if (!option.what_is_missing.empty()) {
        reader.wrong(name, "is required", std::string(option.what_is_missing));
      }
    }
    for (const auto& read : together_) read(reader, request);
  }

 private:
  template <class>
  friend class OptionTable;

  void add(const Option<Request>& option) {
    options_.push_back(option);
    specs_.push_back(option.spec);
  }

  std::vector<Option<Request>> options_;
  std::vector<OptionSpec> specs_;
  std::vector<Together<Request>> together_;
};

// Bindings: how a value is parsed and where it is stored.

template <class Outer, class Inner>
constexpr auto within(Outer outer, Inner inner) {
  return [ outer, inner ](auto& request) -> auto& {
    return std::invoke(inner, std::invoke(outer, request));
  };
}

// Places of members of a member: under(&Request::sweep)(&Sweep::procs).
template <class Outer>
constexpr auto under(Outer outer) {
  return [outer](auto member) { return within(outer, member); };
}

template <class Place>
auto flag(Place place, bool value = true) {
  return [place, value](OptionReader&, std::string_view, auto& request) {
    std::invoke(place, request) = value;
  };
}

template <class Place>
auto text(Place place) {
  return [place](OptionReader& read, std::string_view option, auto& request) {
    std::invoke(place, request) = read.values().value(option);
  };
}

// All texts of an option that repeats.
template <class Place>
auto texts(Place place) {
  return [place](OptionReader& read, std::string_view option, auto& request) {
    std::invoke(place, request) = read.values().values(option);
  };
}

template <class Place>
auto list(AxisKind kind, Place place) {
  return [kind, place](OptionReader& read, std::string_view option, auto& request) {
    read.read_axis(option, kind, std::invoke(place, request));
  };
}

// One value of an axis.
template <class Place>
auto number(AxisKind kind, Place place) {
  return [kind, place](OptionReader& read, std::string_view option, auto& request) {
    auto& variable = std::invoke(place, request);
    using Number = std::remove_reference_t<decltype(variable)>;
    if (const auto value = read.single(option, kind)) variable = static_cast<Number>(*value);
  };
}

// A number from 1 to `most`.
template <class Place>
auto count(std::int64_t most, Place place) {
  return [most, place](OptionReader& read, std::string_view option, auto& request) {
    auto& variable = std::invoke(place, request);
    if (const auto value = read_count(read.values(), option, most))
      variable = static_cast<std::remove_reference_t<decltype(variable)>>(**value);
    else
      read.add(value.errors());
  };
}

// The result of Result<T> parse(const std::string&) for the text of the option.
template <class Parse, class Place>
auto parse_with(Parse parse, Place place) {
  return [parse, place](OptionReader& read, std::string_view option, auto& request) {
    read.take(option, parse(read.values().value(option)), std::invoke(place, request));
  };
}

// The result of Result<T> make(const OptionValues&) for all options.
template <class Make, class Place>
auto value_from(Make make, Place place) {
  return [make, place](OptionReader& read, std::string_view, auto& request) {
    read.take("", make(read.values()), std::invoke(place, request));
  };
}

// The result of `make`, as a function for OptionTable::then.
template <class Make, class Place>
auto together(Make make, Place place) {
  return [read = value_from(make, place)](OptionReader& reader, auto& request) {
    read(reader, {}, request);
  };
}

template <class Value>
struct Choice {
  std::string_view word;
  Value value;
};

// One of a few words. Each word is mapped to a value.
template <class Value, class Place>
auto choice(std::vector<Choice<Value>> choices, Place place) {
  std::vector<std::string> words;
  for (const auto& choice : choices) words.emplace_back(choice.word);
  auto all = fmt::format("{}", fmt::join(words, " "));
  return with_words(std::move(all),
                    [choices = std::move(choices), words = std::move(words), place](
                        OptionReader& read, std::string_view option, auto& request) {
                      const auto word = read_choice(read.values(), option, words);
                      if (!word) return read.add(word.errors());
                      for (const auto& choice : choices)
                        if (choice.word == *word) std::invoke(place, request) = choice.value;
                    });
}

// One of the names of an enumeration's values, in the order of the values.
template <class Enum, std::size_t Count, class Place>
auto enum_choice(const std::array<std::string_view, Count>& names, Place place) {
  std::vector<Choice<Enum>> choices;
  for (const auto name : names) choices.push_back({name, static_cast<Enum>(choices.size())});
  return choice(std::move(choices), place);
}

// A file to be written. It cannot be standard output.
template <class Place>
auto file(Place place) {
  return [place](OptionReader& read, std::string_view option, auto& request) {
    std::invoke(place, request) = read.file_of(option);
  };
}

// A fraction: "5%" or 0.05.
template <class Place>
auto fraction(Place place) {
  return [place](OptionReader& read, std::string_view option, auto& request) {
    if (const auto part = read_fraction(read.values(), option))
      std::invoke(place, request) = **part;
    else
      read.add(part.errors());
  };
}

}  // namespace tutti::options
