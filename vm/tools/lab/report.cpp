// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the checker, the simulator and a Java program, and writes their results to the page.
#include "vm/tools/lab/report.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/base/print.h"
#include "runtime/base/process/executable.h"
#include "runtime/base/shown_text.h"
#include "vm/tools/lab/compile.h"

namespace keyhole::lab {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view states = "2000", threads_simulated = "1,2,4,8,18,36,72";
constexpr std::string_view colors[] = {"#c0392b", "#2c3e50", "#2980b9", "#27ae60", "#8e44ad"};

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Formats the output of a program for the page.
std::string for_html(std::string_view text) {
  std::string shown;
  for (char c : valid_utf8(text)) {
    if (c == '<') shown += "&lt;";
    else if (c == '&') shown += "&amp;";
    else if (c == '"') shown += "&quot;";
    else shown += c;
  }
  return shown;
}

template <typename T> void add_once(std::vector<T>& all, const T& one) {
  if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

// "7.42M" as a number.
f64 number_of(std::string_view text) {
  f64 factor = text.ends_with('M') ? 1e6 : text.ends_with('k') ? 1e3 : 1;
  return factor * std::strtod(std::string(text).c_str(), nullptr);
}

struct Ran {
  int code;
  std::string output;
  f64 seconds, cpu_seconds;
};
f64 cpu_of_children() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  auto seconds = [](const timeval& time) {
    return static_cast<f64>(time.tv_sec) + 1e-6 * static_cast<f64>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}
Ran run_here(const std::vector<std::string>& words, const fs::path& output) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin = Clock::now();
  f64 cpu = cpu_of_children();
  int code = run(words, output.string());
  return {code, content_of(output), std::chrono::duration<f64>(Clock::now() - begin).count(), cpu_of_children() - cpu};
}

// The counters that a program under -XX:+PrintLockStatistics prints at its end: "   12  parks   a thread went ...".
std::vector<std::pair<std::string, std::string>> counters_in(const std::string& output) {
  std::vector<std::pair<std::string, std::string>> counters;
  usize at = output.rfind("Lock statistics, ");
  if (at == std::string::npos) return counters;
  std::istringstream lines(output.substr(at));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string value, name;
    if (words >> value >> name && std::ranges::all_of(value, [](unsigned char c) { return std::isdigit(c) != 0; }))
      counters.emplace_back(name, value);
  }
  return counters;
}

std::string program_part(const std::string& lock, const Ran& own, const Ran& other) {
  std::string rows = fmt::format(
      "<tr><td>exit code</td><td>{}</td><td>{}</td></tr>\n<tr><td>seconds</td><td>{:.2f}</td><td>{:.2f}</td></tr>\n"
      "<tr><td>processor seconds</td><td>{:.2f}</td><td>{:.2f}</td></tr>\n",
      own.code, other.code, own.seconds, other.seconds, own.cpu_seconds, other.cpu_seconds);
  auto theirs = counters_in(other.output);
  for (const auto& [name, value] : counters_in(own.output)) {
    auto found = std::ranges::find(theirs, name, &std::pair<std::string, std::string>::first);
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", for_html(name), value,
                        found == theirs.end() ? "0" : found->second);
  }
  return fmt::format("<table><tr><th></th><th>{}</th><th>lightweight</th></tr>\n{}</table>\n", for_html(lock), rows);
}

}  // namespace

std::vector<Measured> measured_in(std::string_view table) {
  std::vector<Measured> all;
  std::istringstream lines{std::string(table)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    // columns: algorithm T csl ncsl median/s least most ns/iter "cpu ns" max/min Jain run
    if (words.size() != 12 || line[0] == ' ' || words[1] == "T") continue;
    all.push_back({words[0], static_cast<u32>(number_of(words[1])), number_of(words[4]), number_of(words[10])});
  }
  return all;
}

std::string plot(std::string_view title, const std::vector<Measured>& points, f64 (*value)(const Measured&)) {
  constexpr f64 width = 560, height = 260, left = 60, bottom = 40, top = 30;
  f64 most = 0;
  std::vector<u32> threads;
  std::vector<std::string> locks;
  for (const Measured& point : points) {
    most = std::max(most, value(point));
    add_once(threads, point.threads);
    add_once(locks, point.lock);
  }
  if (most == 0) return {};
  auto x = [&](u32 count) {
    usize place = static_cast<usize>(std::ranges::find(threads, count) - threads.begin());
    return left +
           (width - left - 20) * static_cast<f64>(place) / static_cast<f64>(std::max<usize>(threads.size() - 1, 1));
  };
  auto y = [&](f64 amount) { return height - bottom - (height - bottom - top) * amount / most; };
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" role=\"img\" aria-label=\"{}\">\n<text x=\"{}\" y=\"18\" "
      "font-weight=\"bold\">{}</text>\n",
      width + 150, height, width + 150, for_html(title), left, for_html(title));
  for (f64 part : {0.0, 0.5, 1.0}) {
    svg += fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>", left, width - 20,
                       y(most * part), y(most * part));
    svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.3g}</text>\n", left - 6, y(most * part) + 4,
                       most * part);
  }
  for (u32 count : threads)
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x(count), height - bottom + 18,
                       count);
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">threads</text>\n", width / 2, height - 6);
  for (usize i = 0; i < locks.size(); ++i) {
    std::string_view color = colors[i % std::size(colors)];
    std::string line;
    for (const Measured& point : points) {
      if (point.lock == locks[i]) line += fmt::format("{:.1f},{:.1f} ", x(point.threads), y(value(point)));
    }
    svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>", line, color,
                       i == 0 ? 3 : 1.5);
    svg += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>\n", width, top + 18 * (static_cast<int>(i) + 1),
                       color, for_html(locks[i]));
  }
  return svg + "</svg>\n";
}

int report(std::span<char*> words) {
  auto refuse = [](std::string_view sentence) {
    print_text(stderr, "keyhole lock: {}\n", sentence);
    return 2;
  };
  if (words.size() < 2)
    return refuse("`lock report` takes the file of a lock, a program, and the program's arguments.");
  const std::string file = words[0], program = words[1];
  std::error_code error;
  if (!fs::exists(program, error)) return refuse(fmt::format("there is no file {}.", program));
  Compiled checker = compile(file, World::checker), simulator = compile(file, World::simulator);
  for (const Compiled* compiled : {&checker, &simulator}) {
    if (!compiled->complaint.empty()) return refuse(compiled->complaint);
  }
  const std::string folder = executable_folder();
  const fs::path output = fs::temp_directory_path() / fmt::format("keyhole-report-{}", getpid());
  Ran checked = run_here(
      {folder + "/lockcheck", "--load", checker.object, "--file", file, "--states", std::string(states)}, output);
  Ran simulated = run_here({folder + "/mutexbench", "--load", simulator.object, "--world", "simulated", "--cpus", "72",
                            "--threads", std::string(threads_simulated), "--ncsl", "200", "--csl", "1", "--seconds",
                            "0.002", "--algorithm", "loaded,lightweight,cjm-fifo,cjm-by"},
                           output);
  auto run_program = [&](const std::string& mode) {
    std::vector<std::string> command{executable_path(), "-XX:LockingMode=" + mode, "-XX:+PrintLockStatistics"};
    for (char* word : words.subspan(1)) command.emplace_back(word);
    return run_here(command, output);
  };
  const std::string path = file.contains('/') ? file : "./" + file;
  Ran own = run_program(path), other = run_program("lightweight");
  fs::remove(output, error);

  const std::string name = fs::path(file).stem().string();
  std::vector<Measured> points = measured_in(simulated.output);
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{0}</title>\n<style>body {{ font: 15px/1.5 "
      "sans-serif; max-width: 60em; margin: 2em auto }} pre {{ overflow: auto; font-size: 12px }} svg text {{ "
      "font-size: "
      "12px }} td, th {{ padding: 0 1em; text-align: right }} td:first-child {{ text-align: left }}</style>\n"
      "<h1>The lock {0}</h1>\n",
      for_html(name));
  page += fmt::format(
      "<h2>Checked</h2>\n<p>The model checker explored up to {} states a bound in each scenario. {}</p>\n"
      "<pre>{}</pre>\n",
      states,
      checked.code == 0 ? "It found nothing, which is no proof: the lines say how far it looked."
                        : "<strong>It found an error.</strong>",
      for_html(checked.output));
  page += "<h2>Simulated</h2>\n<p>A machine of 72 processors; one step in the critical section, 200 outside.</p>\n";
  page += plot("Million acquisitions per second", points, [](const Measured& point) { return point.per_second / 1e6; });
  page += plot("Fairness: Jain's index, 1 if all threads did the same", points,
               [](const Measured& point) { return point.jain; });
  page += fmt::format("<pre>{}</pre>\n", for_html(simulated.output));
  page += fmt::format(
      "<h2>{}</h2>\n<p>One run in each mode on this machine. <code>keyhole --compare-locks</code> says how "
      "far such runs differ.</p>\n{}",
      for_html(program), program_part(name, own, other));
  page += "</html>\n";

  const fs::path written = name + ".report.html";
  std::ofstream out(written);
  out << page;
  out.close();
  if (!out) return refuse(fmt::format("{} cannot be written.", written.string()));
  print_text("{} is written.\n", written.string());
  if (own.code != 0) print_text("{} failed under the lock: exit code {}.\n", program, own.code);
  return checked.code == 0 && own.code == 0 ? 0 : 1;
}

}  // namespace keyhole::lab
