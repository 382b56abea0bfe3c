// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the Debug Adapter Protocol: parses messages and answers requests. Rules: dap.h.
#include "vm/tools/step/dap.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <map>

#include "vm/tools/step/json.h"

namespace keyhole::step {

namespace {

constexpr u32 frames_per_thread = 100, fields_number = 1'000'000;
constexpr usize largest_message = 16u << 20;
constexpr int broken_protocol = 2;

// Reads one message. Returns false if the input has ended or is not a valid message.
bool read_message(std::string& body) {
  usize length = 0;
  bool has_length = false;
  for (;;) {
    std::string line;
    int c;
    while ((c = getchar()) != '\n') {
      if (c == EOF || line.size() > 1000) return false;
      if (c != '\r') line += static_cast<char>(c);
    }
    if (line.empty()) break;
    constexpr std::string_view header = "Content-Length:";
    if (!line.starts_with(header)) continue;
    const char* begin = line.data() + std::min(line.find_first_not_of(' ', header.size()), line.size());
    has_length = std::from_chars(begin, line.data() + line.size(), length).ec == std::errc();
  }
  if (!has_length || length > largest_message) return false;
  body.resize(length);
  return fread(body.data(), 1, length, stdin) == length;
}

u32 sequence = 0;  // sequence number of the last message sent to the editor
Json launch;       // the editor's `launch` request; its response is not sent yet

void send(const std::string& head, const std::string& rest) {
  std::string body = fmt::format("{{\"seq\":{},{},{}}}", ++sequence, head, rest);
  printf("Content-Length: %zu\r\n\r\n%s", body.size(), body.c_str());
  fflush(stdout);
}

void respond(const Json& request, const std::string& body) {
  send(R"("type":"response")",
       fmt::format(R"("request_seq":{},"success":true,"command":{},"body":{})", request["seq"].as_integer(),
                   json_text(request["command"].text), body.empty() ? "{}" : body));
}

void refuse(const Json& request, const std::string& why) {
  send(R"("type":"response")",
       fmt::format(R"("request_seq":{},"success":false,"command":{},"message":{})", request["seq"].as_integer(),
                   json_text(request["command"].text), json_text(why)));
}

void event(const std::string& name, const std::string& body) {
  send(R"("type":"event")", fmt::format(R"("event":{},"body":{})", json_text(name), body));
}

constexpr std::string_view capabilities =
    R"({"supportsStepBack":true,"supportsConfigurationDoneRequest":true,"supportsDataBreakpoints":true,)"
    R"("supportsTerminateRequest":true,"supportsSingleThreadExecutionRequests":true})";

class Adapter {
 public:
  Adapter(Stepper& stepper, Sources& sources) : stepper_(stepper), sources_(sources) {}
  int run();

 private:
  void handle(const Json& request);
  void stop(const std::string& reason);
  void make_move(const Json& request, Goal goal, bool is_backward);
  void run_to_stop(const Json& request, bool is_backward);
  void pick(const Json& request);
  std::string set_breakpoints(const Json& arguments);
  usize stop_count() const;
  std::string add_stop(std::vector<StopAt>& stops, const std::string& name, u32 line) const;
  std::string set_data_breakpoints(const Json& arguments);
  std::string data_breakpoint_info(const Json& arguments) const;
  std::string threads() const;
  std::string stack(const Json& arguments);
  static std::string scopes(const Json& arguments);
  std::string variables(const Json& arguments) const;

  Stepper& stepper_;
  Sources& sources_;
  std::map<std::string, std::vector<StopAt>> breakpoints_;  // by file
  std::vector<StopAt> data_breakpoints_;
  usize output_seen_ = 0;
  bool has_ended_ = false;
};

void Adapter::stop(const std::string& reason) {
  std::string output = stepper_.machine().output();
  if (output.size() > output_seen_)
    event("output", fmt::format(R"({{"category":"stdout","output":{}}})", json_text(output.substr(output_seen_))));
  output_seen_ = output.size();
  std::string why = reason, more;
  if (stepper_.state().has_ended) {  // the debug session continues, because the user can step backwards
    why = "end";
    more = fmt::format(R"(,"description":{0},"text":{0})", json_text(stepper_.end_text()));
  }
  event("stopped", fmt::format(R"({{"reason":{},"threadId":{},"allThreadsStopped":true{}}})", json_text(why),
                               stepper_.state().strand + 1, more));
}

void Adapter::pick(const Json& request) {
  auto strand = static_cast<u32>(request["arguments"]["threadId"].as_integer() - 1);
  const ThreadState* thread = stepper_.state().thread(strand);
  if (thread == nullptr) return refuse(request, "There is no such thread.");
  if (std::string problem = stepper_.choose(*thread); !problem.empty()) return refuse(request, problem);
  respond(request, "");
  stop("step");
}

void Adapter::make_move(const Json& request, Goal goal, bool is_backward) {
  auto strand = static_cast<u32>(request["arguments"]["threadId"].as_integer() - 1);
  const ThreadState* thread = stepper_.state().thread(strand);
  if (!is_backward && thread != nullptr && strand != stepper_.state().strand && !stepper_.state().has_ended) {  // D2
    if (std::string problem = stepper_.choose(*thread); !problem.empty()) return refuse(request, problem);
  }
  if (std::string problem = stepper_.move(goal, is_backward); !problem.empty()) return refuse(request, problem);
  respond(request, "");
  stop("step");
}

void Adapter::run_to_stop(const Json& request, bool is_backward) {
  std::vector<StopAt> stops = data_breakpoints_;
  for (const auto& [file, places] : breakpoints_) stops.insert(stops.end(), places.begin(), places.end());
  respond(request, R"({"allThreadsContinued":true})");
  std::string problem = stepper_.move_to(stops, is_backward);
  bool is_at_begin = is_backward && !problem.empty();
  if (is_at_begin) stepper_.restart();
  stop(is_at_begin ? "entry" : "breakpoint");
}

usize Adapter::stop_count() const {
  usize count = data_breakpoints_.size();
  for (const auto& [file, places] : breakpoints_) count += places.size();
  return count;
}

// D4: adds a breakpoint. Returns the answer to the editor as JSON, without the closing brace: the caller adds members.
std::string Adapter::add_stop(std::vector<StopAt>& stops, const std::string& name, u32 line) const {
  std::string problem;
  if (stop_count() >= max_stops) problem = fmt::format("More than {} breakpoints are not possible.", max_stops);
  else if (!fits_stop(name)) problem = "The name is too long.";
  if (!problem.empty()) return fmt::format(R"({{"verified":false,"message":{})", json_text(problem));
  stops.push_back(stop_at(name, line));
  return R"({"verified":true)";
}

std::string Adapter::set_breakpoints(const Json& arguments) {
  std::string file = std::filesystem::path(arguments["source"]["path"].text).filename();
  if (file.empty()) file = arguments["source"]["name"].text;
  std::vector<StopAt>& stops = breakpoints_[file];
  stops.clear();
  std::string answers;
  for (const Json& each : arguments["breakpoints"].list) {
    auto line = static_cast<u32>(each["line"].as_integer());
    std::string answer =
        line != 0 ? add_stop(stops, file, line) : R"({"verified":false,"message":"There is no line 0.")";
    answers += fmt::format(R"({}{},"line":{}}})", answers.empty() ? "" : ",", answer, line);
  }
  return fmt::format(R"({{"breakpoints":[{}]}})", answers);
}

std::string Adapter::data_breakpoint_info(const Json& arguments) const {
  std::string name = arguments["name"].text;
  return fmt::format(R"({{"dataId":{0},"description":{0},"accessTypes":["write"]}})", json_text(name));
}

std::string Adapter::set_data_breakpoints(const Json& arguments) {
  data_breakpoints_.clear();
  std::string answers;
  for (const Json& each : arguments["breakpoints"].list) {
    // Strips the object's number from the name ("Account#1.balance"): a data breakpoint applies to the field of all
    // objects of the class.
    std::string name = each["dataId"].text;
    if (usize number = name.find('#'), dot = name.find_first_of(".[", number == std::string::npos ? 0 : number);
        number != std::string::npos && dot != std::string::npos)
      name.erase(number, dot - number);
    answers += std::string(answers.empty() ? "" : ",") + add_stop(data_breakpoints_, name, 0) + "}";
  }
  return fmt::format(R"({{"breakpoints":[{}]}})", answers);
}

std::string Adapter::threads() const {
  std::string list;
  for (const ThreadState& thread : stepper_.state().threads) {
    std::string name = thread.name + (thread.status == "runs" ? "" : " (" + thread.status + ")");
    list += fmt::format(R"({}{{"id":{},"name":{}}})", list.empty() ? "" : ",", thread.strand + 1, json_text(name));
  }
  return fmt::format(R"({{"threads":[{}]}})", list);
}

std::string Adapter::stack(const Json& arguments) {
  auto id = static_cast<u32>(arguments["threadId"].as_integer());
  const ThreadState* thread = stepper_.state().thread(id - 1);
  std::string list;
  for (usize i = 0; thread != nullptr && i < thread->frames.size(); ++i) {
    const FrameState& frame = thread->frames[i];
    std::string file = frame.place.substr(0, frame.place.find(':')), path = sources_.path_of(file);
    u32 line = 0;
    if (usize colon = frame.place.find(':'); colon != std::string::npos)
      std::from_chars(frame.place.data() + colon + 1, frame.place.data() + frame.place.size(), line);
    std::error_code ignored;
    std::string source = fmt::format(R"({{"name":{}}})", json_text(file));
    if (!path.empty())
      source = fmt::format(R"({{"name":{},"path":{}}})", json_text(file),
                           json_text(std::filesystem::absolute(path, ignored).string()));
    list += fmt::format(R"({}{{"id":{},"name":{},"line":{},"column":1,"source":{}}})", list.empty() ? "" : ",",
                        id * frames_per_thread + i, json_text(frame.method), line, source);
  }
  return fmt::format(R"({{"stackFrames":[{}]}})", list);
}

std::string Adapter::scopes(const Json& arguments) {
  return fmt::format(R"({{"scopes":[{{"name":"Locals","variablesReference":{},"expensive":false}},)"
                     R"({{"name":"Fields","variablesReference":{},"expensive":false}}]}})",
                     arguments["frameId"].as_integer(), fields_number);
}

std::string Adapter::variables(const Json& arguments) const {
  auto reference = static_cast<u32>(arguments["variablesReference"].as_integer());
  const std::vector<Variable>* all = nullptr;
  if (reference == fields_number) {
    all = &stepper_.state().fields;
  } else if (const ThreadState* thread = stepper_.state().thread(reference / frames_per_thread - 1)) {
    usize frame = reference % frames_per_thread;
    if (frame < thread->frames.size()) all = &thread->frames[frame].locals;
  }
  std::string list;
  for (usize i = 0; all != nullptr && i < all->size(); ++i)
    list += fmt::format(R"({}{{"name":{},"value":{},"variablesReference":0}})", list.empty() ? "" : ",",
                        json_text((*all)[i].name), json_text((*all)[i].value));
  return fmt::format(R"({{"variables":[{}]}})", list);
}

void Adapter::handle(const Json& request) {
  const std::string& command = request["command"].text;
  const Json& arguments = request["arguments"];
  if (command == "initialize") return respond(request, std::string(capabilities));
  if (command == "launch" || command == "attach") {
    respond(request, "");
    return event("initialized", "{}");
  }
  if (command == "configurationDone") {
    respond(request, "");
    return stop("entry");
  }
  if (command == "setBreakpoints") return respond(request, set_breakpoints(arguments));
  if (command == "setExceptionBreakpoints") return respond(request, R"({"breakpoints":[]})");
  if (command == "dataBreakpointInfo") return respond(request, data_breakpoint_info(arguments));
  if (command == "setDataBreakpoints") return respond(request, set_data_breakpoints(arguments));
  if (command == "threads") return respond(request, threads());
  if (command == "stackTrace") return respond(request, stack(arguments));
  if (command == "scopes") return respond(request, scopes(arguments));
  if (command == "variables") return respond(request, variables(arguments));
  if (command == "next") return make_move(request, Goal::over, false);
  if (command == "stepIn") return make_move(request, Goal::line, false);
  if (command == "stepOut") return make_move(request, Goal::out, false);
  if (command == "stepBack") return make_move(request, Goal::line, true);
  if (command == "continue") return run_to_stop(request, false);
  if (command == "reverseContinue") return run_to_stop(request, true);
  if (command == "pick") return pick(request);
  if (command == "disconnect" || command == "terminate") {
    has_ended_ = true;
    respond(request, "");
    return event("terminated", "{}");
  }
  refuse(request, "keyhole --step --dap does not know this request.");
}

int Adapter::run() {
  std::string body;
  if (launch.type == Json::Type::object) handle(launch);
  while (!has_ended_ && read_message(body)) {
    Json request;
    if (!read_json(body, request) || request["command"].type != Json::Type::text) {
      fprintf(stderr, "keyhole: a message is not a request of the Debug Adapter Protocol\n");
      return broken_protocol;
    }
    handle(request);
  }
  return 0;
}

}  // namespace

std::string read_launch(std::vector<std::string>& words) {
  std::string body;
  while (read_message(body)) {
    Json request;
    if (!read_json(body, request)) break;
    const std::string& command = request["command"].text;
    const Json& arguments = request["arguments"];
    if (command == "initialize") {
      respond(request, std::string(capabilities));
    } else if (command != "launch") {
      refuse(request, "There is no program yet.");
    } else if (arguments["program"].text.empty()) {
      refuse(request, "launch needs a program.");
    } else {
      for (const Json& word : arguments["vmArgs"].list) words.push_back(word.text);
      words.push_back(arguments["program"].text);
      for (const Json& word : arguments["args"].list) words.push_back(word.text);
      launch = request;
      return {};
    }
  }
  return "the editor has ended before it launched a program";
}

int serve_debug_adapter(Stepper& stepper, Sources& sources) { return Adapter(stepper, sources).run(); }

}  // namespace keyhole::step
