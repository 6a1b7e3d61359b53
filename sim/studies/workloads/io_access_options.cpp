// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/hash.hpp"
#include "sim/base/text_file.hpp"
#include "sim/studies/workloads/io_access_options.help.hpp"
#include "sim/studies/workloads/io_options.hpp"

namespace tutti::studies {
namespace {

using options::bytes_axis;
using options::OptionReader;

constexpr Bytes default_proc_bytes = Bytes{64} << 20;
constexpr options::OptionGroup file_group{"The file and its decomposition",
                                          texts::io_access_options.all};
constexpr auto accesses = options::under(options::within(&IoRequest::sweep, &IoSweep::accesses));

// Numbers such as 4x3x2.
template <class Number>
void numbers(OptionReader& read, std::string_view option, std::int64_t least, std::int64_t most,
             std::vector<Number>& into) {
  const std::string& text = read.values().value(option);
  for (const std::string_view part : split(text, 'x')) {
    const auto number = parse_integer(part);
    if (!number || *number < least || *number > most)
      return read.wrong(std::string(option), fmt::format("invalid number {}", in_quotes(part)),
                        fmt::format("expected numbers from {} to {} with x in between, for "
                                    "example 12x48",
                                    least, most));
    into.push_back(static_cast<Number>(*number));
  }
  if (into.size() > io_models::most_dimensions)
    read.wrong(std::string(option), fmt::format("{} dimensions", into.size()),
               fmt::format("at most {} are possible", io_models::most_dimensions));
}

ArrayRequest& array_request(IoRequest& request) {
  auto& array = request.sweep.accesses.array;
  return array ? *array : array.emplace();
}

constexpr Bytes most_elements = Bytes{1} << 60;

void array(OptionReader& read, std::string_view option, IoRequest& request) {
  numbers(read, option, 1, most_elements, array_request(request).sizes);
}
void chunk(OptionReader& read, std::string_view option, IoRequest& request) {
  numbers(read, option, 1, most_elements, array_request(request).chunk);
}
void ghost(OptionReader& read, std::string_view option, IoRequest& request) {
  numbers(read, option, 0, INT32_MAX, array_request(request).ghosts);
}
void grid(OptionReader& read, std::string_view option, IoRequest& request) {
  numbers(read, option, 1, platforms::most_procs, request.sweep.accesses.grid);
}
void element(OptionReader& read, std::string_view option, IoRequest& request) {
  if (const auto bytes = read.single(option, {parse_bytes, 1, Bytes{1} << 30}))
    array_request(request).element_bytes = *bytes;
}
void order(OptionReader& read, std::string_view option, IoRequest& request) {
  const std::string& word = read.values().value(option);
  if (word != "c" && word != "fortran")
    read.wrong(std::string(option), "unknown order " + in_quotes(word), "expected c or fortran");
  array_request(request).is_fortran_order = word == "fortran";
}

void distribution(OptionReader& read, std::string_view option, IoRequest& request) {
  using How = ArrayRequest::How;
  constexpr std::pair<std::string_view, How> words[] = {
      {"even", How::even}, {"block", How::block}, {"cyclic", How::cyclic}, {"none", How::none}};
  for (const auto& text : split_words(read.values().value(option), ',')) {
    const std::string_view name = std::string_view(text).substr(0, text.find(':'));
    const auto word = std::ranges::find(words, name, &std::pair<std::string_view, How>::first);
    ArrayRequest::Distribution of_dimension;
    if (word != std::end(words)) of_dimension.how = word->second;
    const bool has_block = name.size() < text.size();
    if (has_block && of_dimension.how == How::cyclic) {
      const auto block = parse_integer(text.substr(name.size() + 1));
      of_dimension.block = block ? *block : 0;
    }
    if (of_dimension.block < 1)
      return read.wrong(std::string(option), "invalid block in " + in_quotes(text),
                        "expected cyclic:K with K of at least 1");
    if (word == std::end(words) || (has_block && of_dimension.how != How::cyclic))
      return read.wrong(std::string(option), "unknown distribution " + in_quotes(text),
                        did_you_mean(text, {"even", "block", "cyclic", "none"},
                                     "expected even, block, cyclic, cyclic:K or none for each "
                                     "dimension"));
    array_request(request).distributions.push_back(of_dimension);
  }
}

std::optional<io_models::DarshanLayer> parse_layer(std::string_view word) {
  if (word == "posix") return io_models::DarshanLayer::posix;
  if (word == "mpiio") return io_models::DarshanLayer::mpiio;
  if (word == "stdio") return io_models::DarshanLayer::stdio;
  return std::nullopt;
}

// Reports the errors of a command that read_ior_command could not read.
void ior(OptionReader& read, std::string_view option, IoRequest& request) {
  if (request.sweep.accesses.ior) return;
  if (const auto command = io_models::parse_ior(read.values().value(option)); !command)
    read.add(command.errors());
}

void darshan_layer(OptionReader& read, std::string_view option, IoRequest&) {
  const std::string& word = read.values().value(option);
  if (!parse_layer(word))
    read.wrong(std::string(option), "unknown layer " + in_quotes(word),
               "expected mpiio, posix or stdio");
}

class AccessReader : private options::RequestReader<IoRequest> {
 public:
  using RequestReader::RequestReader;

  void read() {
    read_decompositions();
    read_array();
    read_tiles();
    read_ior();
    read_darshan();
    spread_over_dimensions();
    if (request_.sweep.procs.empty() && !values_.has("--procs") && reader_.errors().empty())
      wrong("--procs", "is required", "the number of processes");
  }

 private:
  AccessRequest& all() { return request_.sweep.accesses; }
  bool has(std::string_view decomposition) {
    return std::ranges::count(all().decompositions, decomposition) > 0;
  }

  std::string default_decomposition() const {
    if (values_.has("--darshan")) return "darshan";
    if (values_.has("--ior")) return "ior";
    return values_.has("--array") ? "array" : "1d";
  }

  void read_decompositions() {
    std::vector<std::string> plain;
    const std::string text = values_.value_or("--decomposition", default_decomposition());
    for (const auto& word : split_words(text, ','))
      if (word.starts_with("file:"))
        read_pieces_text(word);
      else if (word.starts_with("patches:"))
        all().decompositions.push_back(word);
      else
        plain.push_back(word);
    if (plain.empty()) return;
    std::vector<std::string> names{"1d", "2d", "tiles", "array", "ior", "darshan"};
    names.insert(names.end(), all().decompositions.begin(), all().decompositions.end());
    for (auto& name : reader_.names_of("--decomposition", default_decomposition(), names))
      if (name.find(':') == std::string::npos) all().decompositions.push_back(std::move(name));
    if (has("ior") && !values_.has("--ior"))
      wrong("--decomposition", "ior needs the command line of IOR",
            "give --ior, for example --ior '-a MPIIO -c -w -t 1m -b 16m'");
    if (has("darshan") && !values_.has("--darshan"))
      wrong("--decomposition", "darshan needs a log", "give --darshan FILE");
  }

  void read_pieces_text(const std::string& word) {
    if (all().pieces_text) return wrong("--decomposition", "more than one file");
    if (word.size() == 5) return wrong("--decomposition", "no file given", "expected file:PATH");
    auto text = read_text_file(word.substr(5));
    if (!text) return reader_.add(text.errors());
    all().pieces_text = std::make_shared<const std::string>(*std::move(text));
    all().decompositions.push_back(word);
  }

  void read_array() {
    if (values_.has("--rows") != values_.has("--cols"))
      wrong(values_.has("--rows") ? "--rows" : "--cols", "is given without its counterpart",
            "give both --rows and --cols");
    if (values_.has("--rows") && values_.has("--bytes-per-proc"))
      wrong("--bytes-per-proc", "cannot be combined with --rows", "remove one of the two");
    if (!all().rows && !values_.has("--bytes-per-proc"))
      all().bytes_per_proc = {default_proc_bytes};
    for (const char* option :
         {"--array", "--element-size", "--distribution", "--order", "--ghost", "--chunk"})
      if (values_.has(option) && !has("array"))
        wrong(option, "applies to arrays only", "add --decomposition array");
  }

  // The members of lists for each dimension.
  void spread_over_dimensions() {
    if (!all().array || all().array->sizes.empty()) {
      if (has("array") && !values_.has("--array"))
        wrong("--array", "is required with --decomposition array",
              "expected the numbers of elements, for example 512x512x256");
      return;
    }
    ArrayRequest& array = *all().array;
    spread("--distribution", array.distributions);
    spread("--ghost", array.ghosts);
    spread("--chunk", array.chunk);
  }

  template <class Value>
  void spread(const char* option, std::vector<Value>& of_dimensions) {
    const std::size_t dimensions = all().array->sizes.size();
    if (of_dimensions.size() == 1) of_dimensions.resize(dimensions, of_dimensions.front());
    if (of_dimensions.empty() || of_dimensions.size() == dimensions) return;
    wrong(
        option,
        fmt::format("{} values, but the array has {} dimensions", of_dimensions.size(), dimensions),
        "give one value, or one for each dimension");
  }

  void read_tiles() {
    constexpr Bytes most = Bytes{1} << 30;
    for (const char* option : {"--tile", "--overlap"})
      if (values_.has(option) && !has("tiles"))
        wrong(option, "applies to tiles only", "add --decomposition tiles");
    if (!values_.has("--tile")) return;
    TileSpec spec;
    if (const auto pair = reader_.pair_of("--tile", 1, most)) {
      spec.rows = pair->first;
      spec.columns = pair->second;
    }
    if (values_.has("--overlap"))
      if (const auto pair = reader_.pair_of("--overlap", -most, most)) {
        spec.row_overlap = pair->first;
        spec.column_overlap = pair->second;
      }
    all().tiles = spec;
  }

  void describes_twice(const char* option) {
    for (const char* other : {"--ior", "--darshan", "--array", "--decomposition"})
      if (std::string_view(other) != option && values_.has(other))
        return wrong(option, fmt::format("describes the accesses, as {} does", other),
                     "remove one of the two");
    wrong(option, "describes the accesses, but the decomposition is another one", "remove one");
  }

  void read_ior() {
    if (!all().ior) return;
    if (!has("ior")) return describes_twice("--ior");
    const io_models::IorCommand& command = *all().ior;
    const char* operation = request_.sweep.writes ? "write" : "read";
    if (command.writes && *command.writes != request_.sweep.writes)
      wrong("--ior",
            fmt::format("-{} only {}s", *command.writes ? 'w' : 'r',
                        *command.writes ? "write" : "read"),
            fmt::format("use `sim run {}`, or remove the option",
                        request_.sweep.writes ? "read" : "write"));
    if (!values_.has("--procs") && command.tasks) request_.sweep.procs = {*command.tasks};
    if (values_.has("--procs") && command.tasks &&
        request_.sweep.procs != std::vector<std::int64_t>{*command.tasks})
      wrong("--procs", fmt::format("differs from IOR's -N {}", *command.tasks),
            "remove one of the two");
    std::vector<std::string> unused = command.unused;
    if (request_.sweep.writes && command.order != io_models::IorCommand::Order::own)
      unused.emplace_back("the order of the tasks (of reads only)");
    if (!unused.empty())
      request_.warnings.push_back(
          fmt::format("--ior: these options do not change the simulated {}: {}", operation,
                      fmt::join(unused, ", ")));
  }

  void read_darshan() {
    for (const char* option : {"--darshan-file", "--darshan-layer"})
      if (values_.has(option) && !values_.has("--darshan"))
        wrong(option, "applies to Darshan logs only", "add --darshan FILE");
    if (!values_.has("--darshan")) return;
    if (!has("darshan")) return describes_twice("--darshan");
    const auto logged = logged_calls();
    if (!logged) return reader_.add(logged.errors());
    all().darshan = logged->calls;
    all().darshan_content = logged->content_key;
    for (const std::string& note : all().darshan->notes)
      request_.warnings.push_back("--darshan: " + note);
    if (!values_.has("--procs")) request_.sweep.procs = {all().darshan->procs};
  }

  Result<LoadedLog::Calls> logged_calls() {
    LoadedLog& kept = *request_.log;
    const std::string& path = values_.value("--darshan");
    if (kept.path != path)
      kept = {.path = path, .log = TUTTI_TRY(io_models::read_darshan_log(path)), .calls = {}};
    const std::string file = values_.value_or("--darshan-file", "");
    const std::string layer = values_.value_or("--darshan-layer", "");
    const bool writes = request_.sweep.writes;
    const auto known = kept.calls.find({file, layer, writes});
    if (known != kept.calls.end()) return known->second;
    auto calls = TUTTI_TRY(io_models::calls_of(
        kept.log, {.file = file, .writes = writes, .layer = parse_layer(layer)}));
    LoadedLog::Calls logged{.calls = {}, .content_key = hash_calls(calls)};
    logged.calls = std::make_shared<const io_models::DarshanCalls>(std::move(calls));
    return kept.calls[{file, layer, writes}] = logged;
  }

  static std::string hash_calls(const io_models::DarshanCalls& calls) {
    std::string key = content_key(calls.file);
    std::string text;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      for (const auto& [rank, extent] : calls.call(i))
        text += fmt::format(",{}:{}:{}", rank, extent.begin, extent.end);
      text += ';';
      if (text.size() < 1'000'000 && i + 1 < calls.size()) continue;
      key = content_key(key + text);
      text.clear();
    }
    return key;
  }
};

const options::OptionTable<IoRequest> access_table{
    taking("1d 2d tiles array patches: file: ior darshan", file_group("--decomposition", "NAMES")),
    {file_group("--bytes-per-proc", "SIZES"),
     options::list(bytes_axis, accesses(&AccessRequest::bytes_per_proc))},
    {file_group("--rows", "SIZE"), options::number(bytes_axis, accesses(&AccessRequest::rows))},
    {file_group("--cols", "SIZE"), options::number(bytes_axis, accesses(&AccessRequest::columns))},
    {file_group("--grid", "AxB[xC...]"), grid},
    file_group("--tile", "ROWSxCOLS"),
    file_group("--overlap", "ROWSxCOLS"),
    {file_group("--array", "AxB[xC...]"), array},
    {file_group("--element-size", "SIZE"), element},
    {taking("even block cyclic cyclic: none", file_group("--distribution", "NAMES")), distribution},
    {taking("c fortran", file_group("--order", "c|fortran")), order},
    {file_group("--ghost", "N[xN...]"), ghost},
    {file_group("--chunk", "AxB[xC...]"), chunk},
    {taking("io500-easy io500-hard", file_group("--ior", "'OPTIONS'")), ior},
    file_group("--darshan", "FILE"),
    file_group("--darshan-file", "NAME"),
    {taking("mpiio posix stdio", file_group("--darshan-layer", "LAYER")), darshan_layer},
};

}  // namespace

const options::OptionTable<IoRequest>& io_access_options() { return access_table; }

void read_ior_command(const options::OptionValues& values, IoRequest& request) {
  if (!values.has("--ior")) return;
  auto& accesses_of = request.sweep.accesses;
  accesses_of.ior_text = values.value("--ior");
  if (auto command = io_models::parse_ior(accesses_of.ior_text))
    accesses_of.ior = std::make_shared<const io_models::IorCommand>(*std::move(command));
}

void read_accesses(OptionReader& reader, IoRequest& request) {
  AccessReader(reader, request).read();
}

}  // namespace tutti::studies
