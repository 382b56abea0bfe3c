# Functions for scripts that make somebody wait (POSIX shell, to be sourced). What they say goes to descriptor 3. A
# caller may open it before it sends standard error to a log; otherwise it is standard error.
#
#   say TEXT                   "keyhole: TEXT"
#   refuse TEXT                says it and ends the script
#   wait_for TEXT COMMAND...   runs a command that is silent for long: a line every ten seconds; its exit code
#   show_progress TEXT         copies its input, and shows how far ninja or apt-get is: on a terminal in one line that
#                              is rewritten, else by a line for each tenth
{ true >&3; } 2>/dev/null || exec 3>&2

say() { printf 'keyhole: %s\n' "$*" >&3; }
refuse() { say "$@"; exit 1; }

wait_for() {
  text=$1
  shift
  say "$text"
  (
    seconds=0
    # A sleep outlives the command: it holds no file of the caller's.
    while sleep 10 </dev/null >/dev/null 2>&1 3>&-; do
      kill -0 $$ 2>/dev/null || exit 0
      seconds=$((seconds + 10))
      say "$text: $seconds s so far"
    done
  ) </dev/null >/dev/null 2>&1 7>&- 8>&- 9>&- &   # and no lock
  ticker=$!
  "$@"
  status=$?
  kill -9 "$ticker" 2>/dev/null   # a shell that has just been forked may lose a signal that can be caught
  wait "$ticker" 2>/dev/null
  return $status
}

show_progress() {
  shown=-1
  rewritten=false
  [ -t 3 ] && rewritten=true
  while IFS= read -r line; do
    case $line in
      "["*/*"] "*)   # ninja: [12/345] Building CXX object ...
        done_steps=${line#[}
        all_steps=${done_steps#*/}
        all_steps=${all_steps%%]*}
        done_steps=${done_steps%%/*}
        case $done_steps$all_steps in *[!0-9]*|'') printf '%s\n' "$line"; continue ;; esac
        percent=$((100 * done_steps / all_steps))
        where="step $done_steps of $all_steps"
        printf '%s\n' "$line" ;;
      dlstatus:*:*:*|pmstatus:*:*:*)   # apt-get: pmstatus:clang-19:43.2:Unpacking clang-19
        where=${line#*status:*:}
        percent=${where%%:*}
        percent=${percent%%.*}
        where=${where#*:}
        case $line in
          dlstatus:*) where="downloading" ;;
          *) [ "$phase" = pm ] || shown=-1 ;;
        esac
        phase=${line%%status:*} ;;
      *)
        printf '%s\n' "$line"
        continue ;;
    esac
    if $rewritten; then
      [ "$percent $where" = "$shown" ] || printf '\r\033[Kkeyhole: %s: %s %% (%.60s)' "$1" "$percent" "$where" >&3
      shown="$percent $where"
    elif [ $((percent / 10)) -gt "$shown" ]; then
      shown=$((percent / 10))
      say "$1: $percent % ($where)"
    fi
  done
  $rewritten && [ "$shown" != -1 ] && printf '\r\033[K' >&3
  return 0
}
phase=
