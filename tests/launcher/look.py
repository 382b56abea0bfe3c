#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests keyhole --look: its command line, and its page in a browser without a screen.

A recording with fixed events (look/fixed_recording.py) is drawn in each view, and the pictures are compared with those
of look/golden, which KEYHOLE_BLESS=1 replaces. For recordings of programs, the page's data is compared with the output
of keyhole --show. The build target look_page makes the page; without the page or a browser, a message says that these
tests are skipped.
"""
import collections
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

from chosen_home import chosen_home
from test_loop import by_name, run_tests

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "look"))
import browser as browsers
import fixed_recording
from browser import browser, differ

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
VM = pathlib.Path(os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole")))
SOURCES = pathlib.Path(__file__).resolve().parent / "look"
WORK = ROOT / "build" / "look-tests"
CLASSES = WORK / "classes"
TEMPORARY = WORK / "temporary"   # used by these tests only, because other tests may run at the same time
VIEWS = ["threads", "object", "lock", "heap", "code", "numbers", "events"]
TOLERANCE = 0.002   # share of the area that may differ; a missing box of a lane is a larger share
reports = []


def run(words, expected=0, **options):
    words = [str(word) for word in words]
    environment = dict(os.environ, TMPDIR=str(TEMPORARY))
    done = subprocess.run(words, capture_output=True, text=True, timeout=180, cwd=WORK, env=environment, **options)
    assert done.returncode == expected, f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def look(*words, expected=0, **options):
    return run([VM, "--look", *words], expected, **options)


def table_hash():
    run([VM, "-XX:StartRecording=any.khr", "-XX:RecordEvents=threads", "-version"])
    return (WORK / "any.khr").read_bytes()[18:26]


def fixed_page():
    page = WORK / "fixed.html"
    if not page.exists():
        fixed_recording.write(WORK / "fixed.khr", table_hash())
        fixed_recording.write_code(WORK / "fixed.khr.code")
        look("--recording", "fixed.khr", "--code", "--output", page)
    return page


def sides_page():
    """The page of two recordings side by side: the fixed one, and the one of the profile."""
    fixed_page(), profile_page()
    page = WORK / "sides.html"
    look("--recording", "fixed.khr", "--recording", "profile.khr", "--output", page)
    return page


def profile_page():
    page = WORK / "profile.html"
    if not page.exists():
        fixed_recording.write_profile(WORK / "profile.khr", table_hash())
        look("--recording", "profile.khr", "--output", page)
    return page


def a_program_keeps_its_input_output_and_exit_code():
    done = look("--keep", "kept.khr", "-cp", CLASSES, "Echo", "7", expected=7, input="words\n")
    assert done.stdout == "words\n", done.stdout
    page = WORK / "Echo.look.html"
    assert f"is in {page}\n" in done.stderr, done.stderr
    shown = run([VM, "--show", "kept.khr", "--summary"]).stdout
    events = re.search(r"(\d+)  events of", shown).group(1)
    assert f"the page of {events} events" in done.stderr, done.stderr + shown
    assert not list(TEMPORARY.glob("keyhole-look-*")), "a recording is left"
    text = page.read_text()
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", text), "the page refers to the network"
    assert len(text) < 2_000_000, len(text)
    done = look("--output=other.html", "--events=threads", SOURCES / "Echo.java", "0", input="")
    assert (WORK / "other.html").exists() and not (WORK / "other.html.part").exists()


def errors_in_words():
    for words, expected, message in (
            ([], 2, "--look needs a program to run, or --recording FILE"),
            (["--output"], 2, "--output needs a value"),
            (["--from", "soon", "--recording", "x.khr"], 2, "--from takes a number of milliseconds, not 'soon'"),
            (["--events", "nonsense", "Echo"], 2, "--events: "),
            (["--recording", "fixed.khr", "Echo"], 2, "a program or a recording, not both: Echo"),
            (["--recording", "x.khr", "--modes", "legacy"], 2, "--modes says how a program runs"),
            (["--modes", "legacy,none-such", "Echo"], 2, "'none-such' is not a locking mode that can be compared: "),
            (["--modes", "legacy,legacy", "Echo"], 2, "--modes names legacy twice"),
            (["--modes", ",", "Echo"], 2, "--modes names no mode"),
            (["--modes", "legacy", "-XX:LockingMode=monitor", "-cp", CLASSES, "Echo", "0"], 1,
             "--modes says which locking modes run"),
            ([f"--recording={name}.khr" for name in "abcde"], 2, "a page shows at most 4 recordings side by side"),
            (["--recording", "x.khr", "--keep", "y.khr"], 2, "--keep is for the recording of a program"),
            (["--recording", "absent.khr"], 1, "cannot read absent.khr: No such file or directory"),
            (["--recording", SOURCES / "Echo.java"], 1, "is not a recording"),
            (["--code", "--recording", "absent.khr"], 1, "cannot read absent.khr.code: No such file or directory"),
            (["-XX:StartRecording=x.khr", "-cp", CLASSES, "Echo", "0"], 1, "is chosen by --look itself"),
            (["-cp", CLASSES, "Absent"], 1, "Absent"),
            (["-XX:NoSuchFlag=1", "Echo"], 1, "NoSuchFlag"),
            (["--output", "absent/page.html", "-cp", CLASSES, "Echo", "0"], 1, "cannot write absent/page.html: No such")):
        done = look(*words, expected=expected, input="")
        assert message in done.stderr, f"{words}: {done.stderr}"
    assert "--recording FILE" in look("--help").stdout


def a_recording_that_ends_early_is_shown_up_to_there():
    fixed_page()
    whole = (WORK / "fixed.khr").read_bytes()
    (WORK / "early.khr").write_bytes(whole[:-60])
    done = look("--recording", "early.khr", expected=1)
    assert "is damaged or incomplete" in done.stderr and "the page of 241 events" in done.stderr, done.stderr
    with browser() as page:
        page.open(WORK / "early.look.html")
        assert "damaged or incomplete" in page.text(".notice"), page.text("body")


def an_older_page_is_built_again():
    """./keyhole builds the page of --look again if the page's sources have changed, because an older page may lack
    events of this VM."""
    built = ROOT / "build" / "release" / "look-page.html"
    if VM.parent != built.parent or not (VM.parent / ".complete").exists():
        reports.append("left out: an_older_page_is_built_again: ./keyhole does not run this VM")
        return
    source = ROOT / "vm" / "tools" / "look" / "page" / "source" / "main.ts"
    os.utime(source)
    said = run([ROOT / "keyhole", "--look", "--help"])
    assert "keyhole: building the page\n" in said.stderr, said
    assert built.stat().st_mtime > source.stat().st_mtime, said
    assert run([ROOT / "keyhole", "--look", "--help"]).stderr == ""


def pictures_of_all_views():
    from selenium.webdriver.common.keys import Keys
    golden = SOURCES / "golden"
    problems = []
    opened = [Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER] + [Keys.ARROW_DOWN] * 5   # its call
    dark, narrow = dict(dark=True), dict(width=400, height=900)
    chosen = {"object": "&object=1", "lock": "&object=1&event=20"}   # views that begin with a choice
    shots = [(view, {}, f"view={view}") for view in [*VIEWS, "findings"]]
    shots += [(f"{name}-{view}", size, f"view={view}{chosen.get(view, '')}")
              for name, size in (("dark", dark), ("narrow", narrow)) for view in [*VIEWS, "findings"]]
    shots += [("lock-contended", {}, "view=lock&object=1&event=238"),
              ("threads-close", {}, "view=threads&from=180000&until=520000&object=1")]
    shots += [(f"large-{view}", {}, f"view={view}{chosen.get(view, '')}", "p") for view in ("findings", "threads", "lock")]
    shots += [(name, size, "view=profile")
              for name, size in (("profile", {}), ("dark-profile", dark), ("narrow-profile", narrow))]
    shots += [(name, size, "view=code", *opened)
              for name, size in (("method", {}), ("dark-method", dark), ("narrow-method", narrow))]
    wide = dict(width=1600, height=900)
    shots += [("sides", wide, "side-0=view%3Dthreads"), ("narrow-sides", narrow, "side-0=view%3Dthreads")]
    pages = {"view=profile": profile_page(), "side-0=view%3Dthreads": sides_page()}
    for size in ({}, dark, narrow, wide):
        with browser(**size) as page:
            for name, wanted, address, *keys in shots:
                if wanted != size:
                    continue
                page.open(pages.get(address, fixed_page()), address)
                page.key(*keys)
                page.picture(WORK / f"{name}.png")
                if size.get("width") == 400:
                    assert page.run("return document.documentElement.scrollWidth") <= 400, f"{name} is wider than the window"
                if os.environ.get("KEYHOLE_BLESS"):
                    golden.mkdir(exist_ok=True)
                    shutil.copy(WORK / f"{name}.png", golden)
                share = differ(WORK / f"{name}.png", golden / f"{name}.png")
                if share > TOLERANCE:
                    problems.append(f"{name}: {100 * share:.1f} % of {WORK / name}.png is not as in {golden}")
    assert not problems, "\n".join(problems)


def views_are_saved_as_pictures():
    """A view saved as SVG has its texts and a shape for each slice, but no HTML. A view saved as PNG is the same
    picture."""
    from PIL import Image
    texts = {"threads": ["left-then-right", "right-then-left", "blocked: Account 2", "holds the selected object", "3 ms"],
             "heap": ["Regions", "humongous", "2 collections in the time shown"],
             "lock&event=20": ["holds it", "Account 1", "left-then-right", "the lock's state"],
             "findings": ["left-then-right"], "numbers": ["longest wait"], "events": ["lock_enter"]}
    place = WORK / "saved"
    place.mkdir()
    with browser() as page:
        page.save_into(place)
        for address, words in texts.items():
            page.open(fixed_page(), f"view={address}&object=1")
            page.key("s")
            file = place / f"fixed.khr-{address.split('&')[0]}.svg"
            page.until_file(file)
            root = xml.etree.ElementTree.parse(file).getroot()
            names = collections.Counter(each.tag.split("}")[1] for each in root.iter())
            said = " ".join(each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}text"))
            assert all(each in said for each in words), f"{address}: {words}: {said}"
            assert "foreignObject" not in names and "keys" not in said, names
            if address != "threads":
                continue
            slices = page.run("let n = 0; const { from, until } = keyhole.state.shown;"
                              "keyhole.recording.forEachSlice(from, until, 0, () => n++); return n")
            assert slices > 10 and names["rect"] > 2 * slices, (slices, names)
            size = [float(root.get(side)) for side in ("width", "height")]
            before = page.run("return document.querySelector('.lanes').toDataURL()")
            page.click("//button[text()='PNG']")
            page.until_file(place / "fixed.khr-threads.png")
            image = Image.open(place / "fixed.khr-threads.png").convert("RGB")
            assert all(abs(pixels - 2 * each) <= 2 for pixels, each in zip(image.size, size)), (image.size, size)
            assert len(image.resize((160, 100)).getcolors(16_000)) > 20, "an empty picture"
            page.frames()
            assert page.run("return document.querySelector('.lanes').toDataURL()") == before, "the lanes are as before"


def a_large_view_for_projectors():
    measure = ("const page = document.getElementById('page'), lanes = document.querySelector('.lanes');"
               "const box = page.getBoundingClientRect();"
               "return { fits: box.width <= innerWidth && box.height <= innerHeight + 1,"
               " sharp: lanes.width / lanes.getBoundingClientRect().width,"
               " panel: document.querySelector('.details').offsetWidth,"
               " tab: document.querySelector('[role=tab]').getBoundingClientRect().height }")
    # Moves the pointer to a slice in which the thread `writer` is parked. Returns the words that appear beside the
    # pointer.
    point = ("const lanes = document.querySelector('.lanes'), box = lanes.getBoundingClientRect();"
             "const zoom = box.width / lanes.clientWidth;"
             "const at = { clientX: box.left + 0.8 * box.width, clientY: box.top + (24 + 3.5 * 26) * zoom };"
             "lanes.dispatchEvent(new PointerEvent('pointermove', { ...at, bubbles: true }));"
             "const tip = document.querySelector('.tip'), place = tip.getBoundingClientRect();"
             "return [tip.innerText, Math.abs(place.left - at.clientX) < 500 && place.right <= innerWidth]")
    with browser() as page:
        page.open(fixed_page(), "view=threads")
        usual = page.run(measure)
        page.key("p")
        page.frames(6)
        large = page.run(measure)
        assert usual["fits"] and large["fits"], (usual, large)
        assert large["tab"] > 1.5 * usual["tab"] and large["panel"] == 0 < usual["panel"], (usual, large)
        assert abs(usual["sharp"] - 1) < 0.01 and abs(large["sharp"] - 1) < 0.01, (usual, large)
        words, is_near = page.run(point)
        assert words.startswith("writer parked for") and is_near, words
        page.key("p")
        page.frames(6)
        assert page.run(measure) == usual, (usual, page.run(measure))


def facts_of_the_fixed_recording():
    with browser() as page:
        page.open(fixed_page())
        slices = page.run("""
          const rows = [];
          keyhole.recording.forEachSlice(0, 1e12, 0, (block, row) => rows.push([block.thread[row], block.doing[row],
            block.begin[row], block.length[row], block.object[row], block.owner[row]]));
          return rows""")
        left, right, writer = fixed_recording.LEFT, fixed_recording.RIGHT, fixed_recording.WRITER
        blocked, waiting = 1, 2
        assert [right, blocked, 220_000, 53_000, 1, left] in slices, slices
        assert [left, blocked, 3_060_000, 950_000, 2, right] in slices, slices
        assert [right, blocked, 3_100_000, 910_000, 1, left] in slices, slices
        assert [writer, waiting, 161_000, 750_000, 3, 0] in slices, slices
        assert [writer, blocked, 911_000, 54_000, 3, fixed_recording.MAIN] in slices, slices
        page.open(fixed_page(), "view=numbers")
        cards = page.text(".card").replace("\n", " ")
        for words in ("locks taken 29", "contended 14", "longest wait 53.0 µs", "waiting at the end 2", "longest pause 294 µs",
                      "slowest stop 15.0 µs"):
            assert words in cards, cards
        page.open(fixed_page(), "view=lock&object=1&event=238")
        assert page.run("return document.querySelector('.picture svg').getAttribute('aria-label')") == \
            "left-then-right holds the lock; right-then-left want it", page.text(".lock")


def words_stand_apart():
    """The page has blanks between words. A step's place in the program and the rule of the algorithm are on two lines.
    The header's lock bits and the lock's state are two tables. The overview has a scale. For one thread the page says
    `1 thread`, not `1 threads`."""
    run([VM, "-XX:LockingMode=cjm-fifo", "-XX:StartRecording=two.khr", ROOT / "tests/launcher/recording/Contended.java"])
    look("--recording", "two.khr", "--output", "two.html")
    number = re.search(r"object (\d+) \(Contended\$Lock\)", run([VM, "--show", "two.khr", "--event=lock_enter"]).stdout)[1]
    with browser() as page:
        page.open(WORK / "two.html", f"view=lock&object={number}")
        said = page.run("""
          const { recording, state } = keyhole, slider = document.querySelector(".scrub input");
          const said = [];
          for (let place = 0; place < 40; place++) {
            slider.value = place;
            slider.dispatchEvent(new Event("input"));
            const words = document.querySelector(".step-words");
            said.push([words.innerText, words.textContent]);
          }
          return said""")
        both = [shown for shown, _ in said if "bci" in shown and re.search(r" of \w+\.h: ", shown)]
        assert both and all(re.search(r"bci \d+\n\w+ of \w+\.h: ", shown) for shown in both), both[:3]
        assert not any(re.search(r"bci \d+[A-Z]", text) for _, text in said), said[:3]
        tables = page.run("""
          return [...document.querySelectorAll(".states table")].map((table) => [table.caption.textContent, table.rows.length])""")
        assert [caption for caption, _ in tables] == ["what the lock bits of the header say", "the lock's state"], tables
        assert tables[0][1] >= 2 and tables[1][1] == 6, tables
    alone = fixed_recording.Writer()
    alone.threads = {fixed_recording.MAIN: "main"}
    alone.state(0, fixed_recording.MAIN, fixed_recording.RUNNABLE)
    alone.state(90, fixed_recording.MAIN, fixed_recording.SLEEPING)
    alone.write(WORK / "alone.khr", table_hash())
    look("--recording", "alone.khr", "--output", "alone.html")
    for file, scale, threads in ((WORK / "alone.html", "no thread waits for a lock", "1 thread"),
                                 (fixed_page(), "full height: 2 threads waiting for locks", "7 threads")):
        with browser() as page:
            page.open(file)
            page.run("""
              const { prototype } = CanvasRenderingContext2D, draw = prototype.fillText;
              window.drawn = [];
              prototype.fillText = function (text, ...rest) { drawn.push(text); draw.call(this, text, ...rest); };
              keyhole.state.set({ thread: keyhole.recording.threads[0].id });""")
            page.frames()
            drawn = page.run("return drawn")
            assert scale in drawn and threads in drawn, drawn


def keys_alone():
    from selenium.webdriver.common.keys import Keys
    with browser() as page:
        page.open(fixed_page())
        for number, view in enumerate(VIEWS, 1):
            page.key(str(number))
            assert page.run("return keyhole.state.shown.view") == view
            assert page.run("return document.querySelector('[aria-selected=true][role=tab]').id") == f"tab-{view}"
        page.key("f")
        assert page.run("return keyhole.state.shown.view") == "findings"
        assert "left-then-right and right-then-left wait for each other" in page.text(".findings"), page.text(".findings")
        page.key("1")
        lanes = lambda: page.run("return document.querySelector('.threads .spacer').style.height")
        folded = lanes()
        page.key("v")   # three lanes of the VM's threads, below the line that folds them
        page.frames()
        assert int(lanes()[:-2]) - int(folded[:-2]) == 3 * 26, (folded, lanes())
        page.key("v", Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN)   # the third lane: right-then-left
        assert page.run("return keyhole.state.shown.thread") == fixed_recording.RIGHT
        page.key(*[Keys.ARROW_RIGHT] * 7)   # its last slice
        assert "held by" in page.text(".details") and "Transfer.java:16" in page.text(".details"), page.text(".details")
        page.key("c")
        assert "right-then-left waits for Account 1" in page.text(".chain").replace("\n", " "), page.text(".chain")
        assert "a deadlock" in page.text(".chain"), page.text(".chain")
        page.key("+", "+")
        shown = page.run("return keyhole.state.shown.until - keyhole.state.shown.from")
        assert abs(shown - 4_010_000 / 4) < 2, shown
        page.key("0", Keys.ESCAPE, "3", Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        assert "step 3 of" in page.text(".scrub"), page.text(".scrub")
        page.key(Keys.ARROW_LEFT)
        assert "step 2 of" in page.text(".scrub"), page.text(".scrub")
        page.key(Keys.HOME, "n")
        assert "finds it held" in page.text(".step-words"), page.text(".step-words")
        first = page.text(".scrub")
        page.key("n")
        assert "finds it held" in page.text(".step-words") and page.text(".scrub") != first, page.text(".step-words")
        page.key("m")
        assert "the object gets a monitor" in page.text(".step-words"), page.text(".step-words")
        page.key("?")
        assert page.run("return document.querySelector('dialog').open")
        assert page.text("dialog").startswith("Lock\n\nOne lock after each step"), page.text("dialog")


def virtual_threads_are_a_group():
    """Twelve virtual threads share a lane that shows how many are in which state. The key g gives each its own lane."""
    from selenium.webdriver.common.keys import Keys
    group = fixed_recording.Writer()
    carrier, first = 40, 100
    group.threads = {fixed_recording.MAIN: "main", carrier: "ForkJoinPool-1-worker-1",
                     **{first + i: f"request {i}" for i in range(12)}}
    group.state(0, fixed_recording.MAIN, fixed_recording.RUNNABLE)
    for i in range(12):   # they run one after the other for 10 us, and park
        group.add(100 + 10 * i, carrier, "mounted", first + i)
        group.add(109 + 10 * i, carrier, "unmounted", first + i, detail=group.states[fixed_recording.PARKED])
    group.state(1000, fixed_recording.MAIN, fixed_recording.SLEEPING)
    group.write(WORK / "group.khr", table_hash())
    look("--recording", "group.khr", "--output", "group.html")
    point = ("const lanes = document.querySelector('.lanes'), box = lanes.getBoundingClientRect();"
             "const { from, until } = keyhole.state.shown, names = 150;"
             "const at = { clientX: box.left + names + (box.width - names) * (arguments[0] - from) / (until - from),"
             " clientY: box.top + 24 + 1.5 * 26, bubbles: true };"
             "lanes.dispatchEvent(new PointerEvent('pointermove', at)); return document.querySelector('.tip').innerText")
    with browser() as page:
        page.open(WORK / "group.html")
        lanes = lambda: int(page.run("return document.querySelector('.threads .spacer').style.height")[:-2]) // 26
        assert lanes() == 3, "main, the virtual threads, the VM's"
        assert page.run(point, 500_000) == "12 virtual threads: 12 parked", page.run(point, 500_000)
        page.run("keyhole.state.set({ from: 140000, until: 190000 })")
        page.frames()
        assert page.run(point, 165_000) == "12 virtual threads: 1 running, 6 parked", page.run(point, 165_000)
        page.key("g")
        page.frames()
        assert lanes() == 15, lanes()
        page.key(Keys.ARROW_DOWN, Keys.ARROW_DOWN)   # main, the first request
        assert page.run("return keyhole.state.shown.thread") == first, page.run("return keyhole.state.shown")
        page.key(Keys.ESCAPE, "g")
        page.frames()
        assert lanes() == 3, lanes()


def clicks_lead_to_the_worst():
    with browser() as page:
        page.open(fixed_page(), "view=numbers")
        page.run("[...document.querySelectorAll('.card')].find(c => c.innerText.includes('waiting at')).querySelector('button').click()")
        page.frames()
        assert page.run("return keyhole.state.shown.view") == "threads"
        assert "blocked for 950 µs" in page.text(".details"), page.text(".details")
        page.run("document.querySelector('button.chain').click()")
        page.frames()
        assert "a deadlock" in page.text(".details"), page.text(".details")


def the_deadlock_of_the_readme():
    look("--output", "deadlock.html", ROOT / "examples" / "Deadlock.java", "1")
    with browser() as page:
        page.open(WORK / "deadlock.html")
        page.run("""
          const { recording, state } = keyhole;
          state.select(recording.neighbour(recording.threads.find((each) => each.name === "left-then-right").id, 1e15, false))""")
        page.key("c")
        details = page.text(".details")
        for words in ("blocked for", "right-then-left", "Deadlock.java:25", "synchronized (second) {", "a deadlock"):
            assert words in details, f"{words}: {details}"


def all_events_are_those_of_show():
    run([VM, "-XX:StartRecording=program.khr", ROOT / "examples" / "ProducerConsumer.java"])
    look("--recording", "program.khr", "--output", "program.html")
    shown = [json.loads(line) for line in run([VM, "--show", "program.khr", "--to=json"]).stdout.splitlines()]
    with browser() as page:
        page.open(WORK / "program.html")
        rows = page.run("""
          const rows = [], { recording } = keyhole, { kinds } = recording.head;
          for (let place = 0; place < recording.blockCount; place++) {
            const block = recording.events(place);
            for (let i = 0; i < block.rows; i++)
              rows.push(`${block.time[i]} ${block.thread[i]} ${kinds[block.kind[i]].name} ${block.a[i]}`);
          }
          return rows.join("\\n")""").split("\n")
        assert len(rows) == len(shown), (len(rows), len(shown))
        for row, event in zip(rows, shown):
            nanoseconds, thread, kind, a = row.split()
            assert (int(nanoseconds), kind) == (event["ns"], event["event"]), (row, event)
            assert event["thread_id"] == int(thread), (row, event)
            assert kind != "thread_state" or event["whose_id"] == int(a), (row, event)
            assert "object" not in event or int(a) == event["object"], (row, event)
        enters = sum(event.get("pairs", event["event"] == "lock_enter") for event in shown)
        contended = [event for event in shown if event["event"] == "lock_contended"]
        assert page.run("return [keyhole.recording.head.numbers.enters, keyhole.recording.head.numbers.contended]") == \
            [enters, len(contended)]


def locks_as_their_algorithms_have_them():
    of_a_lock = ("lock_change", "lock_enter", "lock_exit", "lock_pairs", "wait_begin", "wait_end", "hash", "moved",
                 "died")
    for mode in ("cjm-fifo", "lightweight"):
        run([VM, f"-XX:LockingMode={mode}", "-XX:StartRecording=lock.khr", ROOT / "tests/launcher/recording/Contended.java"])
        look("--recording", "lock.khr", "--output", "lock.html")
        shown = [json.loads(line) for line in run([VM, "--show", "lock.khr", "--to=json"]).stdout.splitlines()]
        number = next(event["object"] for event in shown
                      if event["event"] == "lock_enter" and event["class"] == "Contended$Lock")
        numbers = [place for place, event in enumerate(shown)
                   if event.get("object") == number and event["event"] in of_a_lock]
        steps = [json.loads(line) for line in
                 run([VM, "--show", "lock.khr", f"--picture={number}", "--to=json"]).stdout.splitlines()]
        assert len(steps) == len(numbers) and max(len(step["queue"]) for step in steps) >= 2, (mode, len(steps))
        with browser() as page:
            page.open(WORK / "lock.html", f"view=lock&object={number}")
            for place in [*range(40), *range(40, len(steps), 60), len(steps) - 1]:
                page.run("keyhole.state.set({ event: arguments[0] })", numbers[place])
                page.frames()
                drawn = page.run("return document.querySelector('.picture').textContent")
                step = steps[place]
                for words in (f"its queue ({len(step['queue'])})", f"wait for a notify ({len(step['waiting'])})",
                              step["owner"] or "nobody", *step["queue"], *step["waiting"]):
                    assert words in drawn, f"{mode}, step {place}: {words} is not in {drawn}; {step}"
                assert step["rule"] in page.text(".step-words"), (mode, place, step)


def traced_life(mode):
    """Returns what the locking mode `traced` logs about the object of class Life.Subject. Each item is an operation,
    the thread, and the lock bits and the owner after the operation, or is one of the words `moves` and `dies`."""
    lines = run([VM, "-Xmx64m", "-XX:LockingMode=traced", f"-XX:TracedLocking={mode}", "-Xlog:locking=debug", "-cp",
                 CLASSES, "Life"]).stdout.splitlines()
    number = next(re.search(r"object (\d+) ", line)[1] for line in lines if "(Life$Subject)" in line)
    story = []
    for line in lines:
        if found := re.search(rf"thread (\d+) object {number} \(.*?\) (\w+): .* -> (\d\d) (free|held by \d+)$", line):
            story.append((found[2], found[1], found[3], found[4]))
        elif found := re.search(rf"object {number} (moves|dies)$", line):
            story.append(found[1])
    return story


def the_life_of_one_object():
    """An object is created, locked, hashed, inflated, moved, deflated, unlocked, and dies. The page shows each
    transition with its rule, its thread and its line. After each operation, the page shows the same lock state as the
    locking mode `traced` prints."""
    operations = {"lock_enter": "enter", "lock_exit": "exit", "hash": "hash", "wait_end": "wait"}
    source = (ROOT / "tests/launcher/recording/Life.java").read_text().splitlines()
    for mode in ("lightweight", "legacy", "cjm-fifo", "hashchains+3"):
        run([VM, "-Xmx64m", f"-XX:LockingMode={mode}", "-XX:StartRecording=life.khr", "-cp", CLASSES, "Life"])
        look("--recording", "life.khr", "--output", "life.html")
        events = map(json.loads, run([VM, "--show", "life.khr", "--to=json", "--event=object"]).stdout.splitlines())
        number = next(event["object"] for event in events if event["class"] == "Life$Subject")
        steps = [json.loads(line) for line in
                 run([VM, "--show", "life.khr", f"--picture={number}", "--to=json"]).stdout.splitlines()]
        with browser(height=4000) as page:
            page.open(WORK / "life.html", f"view=object&object={number}")
            rows = page.run("""
              const text = (row, what) => row.querySelector(what)?.textContent ?? "";
              const texts = (row, what) => [...row.querySelectorAll(what)].map((each) => each.textContent);
              return [...document.querySelectorAll(".life .row")].map((row) => {
                const [kind, thread] = text(row, ".faint").split(" · ");
                return { words: text(row, ".what > span"), rule: text(row, ".rule"), line: text(row, "code"), kind, thread,
                         cells: texts(row, ".cell b"), changed: texts(row, ".cell.changed small") };
              })""")
            main = str(page.run("return keyhole.recording.threads.find((each) => each.name === 'main').id"))
        # The page must show the same rules and source lines as --show.
        line_of = lambda site, end: (re.search(rf":(\d+){end}", site or "") or [0, ""])[1]
        told = [row for row in rows if row["kind"] in {step["event"] for step in steps}]
        assert [(row["kind"], row["rule"].split(":")[0], line_of(row["line"], "$")) for row in told] == \
            [(step["event"], step["rule"], line_of(step["at"], r"\)")) for step in steps], (mode, told, steps)
        # For each change of the header, the page shows the thread and the text of the rule. For a change that the
        # program made, the page also shows the source line.
        for row in rows:
            begins = row["kind"] in ("hash_asked", "wait_begin") or row["kind"] == "lock_exit" and not row["changed"]
            ends = row["kind"] in ("lock_enter", "wait_end") and not set(row["changed"]) - {"held by"}
            assert len(row["rule"]) > 40 or begins or ends, (mode, row)
            assert row["thread"] == "main", (mode, row)
            if row["kind"] in {*operations, "hash_asked", "wait_begin", "object"}:
                assert re.search("synchronized|hashCode|wait|}", source[int(line_of(row["line"], "$")) - 1]), (mode, row)
        kinds = [row["kind"] for row in rows]
        assert kinds[0] == "object" and kinds[-1] == "died" and "moved" in kinds, (mode, kinds)
        has_monitors = mode in ("lightweight", "legacy")
        assert ("inflate" in kinds, "deflate" in kinds) == (has_monitors, has_monitors), (mode, kinds)
        # The page must show the same operations and states of the object as the locking mode `traced` prints.
        story = []
        for row, following in zip(rows, rows[1:] + [{"words": ""}]):
            if row["kind"] in ("moved", "died"):
                story.append({"moved": "moves", "died": "dies"}[row["kind"]])
            elif operation := operations.get(row["kind"]):
                after = following if "main lets the lock go" in following["words"] else row
                bits, owner = after["cells"][3].split()[0], after["cells"][4]
                story.append((operation, main, bits, "free" if owner == "nobody" else f"held by {main}"))
        traced = traced_life(mode)
        assert story == traced and len(story) == 11, (mode, story, traced)


def lit(page):
    """Returns the highlighted lines of each column of the method view, by the column's name."""
    return page.run("""
      return Object.fromEntries([...document.querySelectorAll(".column")].map((column) =>
        [column.className.split(" ")[1], [...column.querySelectorAll(".lit")].map((line) => line.textContent)]))""")


def a_flame_graph():
    """The flame graph has a box for each method of the stacks, as wide as its share of the samples. It follows the
    visible time and the selected thread, and says what is in it."""
    from selenium.webdriver.common.keys import Keys
    run_words = "Transfer.run"
    # Points at the place in the graph, given by its share of the width and by its row. Returns what the view says.
    point = ("const canvas = document.querySelector('.flames'), box = canvas.getBoundingClientRect();"
             "const at = { clientX: box.left + arguments[0] * box.width, clientY: box.top + 19 * arguments[1] + 9 };"
             "canvas.dispatchEvent(new MouseEvent(arguments[2] ?? 'mousemove', { ...at, bubbles: true }));"
             "return document.querySelector('.told').textContent")
    methods = ("return [...document.querySelectorAll('.profile tbody tr')].map((row) =>"
               " [...row.cells].map((each) => each.textContent))")
    with browser() as page:
        page.open(profile_page(), "view=profile")
        assert page.text(".profile output") == "100 samples", page.text(".profile output")
        assert page.run("return [...document.querySelectorAll('.profile option')].map((each) => each.textContent)") == \
            ["all", "left-then-right (60)", "right-then-left (40)"]
        # Callees are ordered by name: Transfer.run has 90 samples, and Tree.sum the other 10.
        assert page.run(point, 0.1, 1) == "bank.Transfer.run: 90 samples, 90 %, of these 5 in the method itself; " \
            "Transfer.run:14 45, Transfer.run:12 40, Transfer.run:16 5", page.run(point, 0.1, 1)
        assert page.run(point, 0.95, 1).startswith("bank.Tree.sum: 10 samples, 10 %, of these 0 in the method"), \
            page.run(point, 0.95, 1)
        assert page.run(point, 0.2, 2) == "bank.Account.pay: 40 samples, 40 %, of these 40 in the method itself; " \
            "Account.pay:20 30, Account.pay:21 10", page.run(point, 0.2, 2)
        assert page.run(point, 0.5, 3).startswith("java.util.HashMap.hash: 20 samples, 20 %"), page.run(point, 0.5, 3)
        # The recursion counts once in the method's samples.
        assert page.run(methods) == [
            ["40", "40 %", "40", "40 %", "bank.Account.pay"], ["25", "25 %", "45", "45 %", "java.util.HashMap.get"],
            ["20", "20 %", "20", "20 %", "java.util.HashMap.hash"], ["10", "10 %", "10", "10 %", "bank.Tree.sum"],
            ["5", "5.0 %", "90", "90 %", "bank.Transfer.run"]], page.run(methods)
        page.run("""
          const search = document.querySelector(".profile input[type=search]");
          search.value = "hashmap";
          search.dispatchEvent(new Event("input"))""")
        page.frames()
        assert "45 % have hashmap in their stacks" in page.text(".profile output"), page.text(".profile output")
        # A click makes the box as wide as the graph, below its caller.
        page.run(point, 0.2, 2, "click")
        page.frames()
        assert page.run(point, 0.99, 2).startswith("bank.Account.pay: 40 samples"), page.run(point, 0.99, 2)
        assert page.run(point, 0.99, 1).startswith("bank.Transfer.run: 90 samples"), page.run(point, 0.99, 1)
        assert "execution_sample" in page.text(".details") and run_words in page.text(".details"), page.text(".details")
        page.key(Keys.ESCAPE)
        assert page.run(point, 0.99, 1).startswith("bank.Tree.sum"), page.run(point, 0.99, 1)
        # Without a pointer, the view describes the box that the keys have chosen: the callee with the most samples, ...
        page.run("document.querySelector('.flames').dispatchEvent(new MouseEvent('mouseleave'))")
        for key, name in ((Keys.ARROW_RIGHT, "java.util.HashMap.get"), (Keys.ARROW_DOWN, "java.util.HashMap.hash"),
                          (Keys.ARROW_UP, "java.util.HashMap.get"), (Keys.ARROW_UP, "bank.Transfer.run"),
                          (Keys.ARROW_DOWN, "java.util.HashMap.get"), (Keys.ARROW_LEFT, "bank.Account.pay")):
            page.key(key)
            assert page.text(".told").startswith(f"{name}: "), (name, page.text(".told"))
        page.run("keyhole.state.set({ thread: arguments[0] })", fixed_recording.RIGHT)
        page.frames()
        assert page.text(".profile output").startswith("40 samples"), page.text(".profile output")
        page.run("keyhole.state.set({ thread: 0, from: 0, until: 5000 + 295 * 1000 })")
        page.frames()
        assert page.text(".profile output").startswith("30 samples"), page.text(".profile output")
        page.open(fixed_page(), "view=profile")
        assert "no execution samples" in page.text(".profile output"), page.text(".profile output")
        # The page has the stacks that --show prints.
    with browser() as page:
        page.open(profile_page(), "view=profile")
        stacks = page.run("""
          const { recording } = keyhole, counts = {};
          for (const stack of recording.samples.stack) {
            const names = recording.sitesOf(stack).map((site) => recording.text(site).split("(")[0]).join(";");
            counts[names] = (counts[names] ?? 0) + 1;
          }
          return counts""")
        shown = [line.rpartition(" ") for line in run([VM, "--show", "profile.khr", "--stacks"]).stdout.splitlines()]
        assert stacks == {names: int(count) for names, _, count in shown}, (stacks, shown)


def a_method_opens():
    from selenium.webdriver.common.keys import Keys
    is_open = "return !document.querySelector('.method-view').hidden"
    with browser() as page:
        page.open(fixed_page(), "view=code")
        assert "1 open" in page.text(".code output"), page.text(".code output")
        page.key(Keys.ARROW_DOWN, Keys.ENTER)   # it has no listing
        assert page.run(is_open) is False, page.text(".code")
        page.key(Keys.ARROW_DOWN, Keys.ENTER, *[Keys.ARROW_DOWN] * 5)
        of_call = lit(page)
        assert of_call["bytecode"][-2:] == ["    6: invokevirtual #7 bank.Account.pay()V ⤴ class", "bank.Account 3000"], of_call
        assert [line.split(" ;")[0].strip() for line in of_call["baseline"]] == \
            ["; bci 6 line 14  invokevirtual", "call 2147483953"], of_call
        assert of_call["graph"] == ["  guard class n23 @6 [n0 | n1]"], of_call
        assert [line.split()[-1] for line in of_call["optimised"]] == ["14", "0x10]", "invokevirtual", "0x800000f5"], of_call
        page.run("""
          const line = [...document.querySelectorAll(".optimised .line")].find((each) => each.textContent.includes("cmp"));
          line.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }))""")
        assert any("if_icmpge" in line for line in lit(page)["bytecode"]), lit(page)
        page.key(Keys.ESCAPE)
        assert page.run(is_open) is False and "Transfer.run()" in page.text(".code .row"), page.text(".code")
    shutil.copy(WORK / "fixed.khr", WORK / "cut.khr")
    fixed_recording.write_code(WORK / "cut.khr.code", "full\n")
    look("--recording", "cut.khr", "--code", "--output", "cut.html")
    with browser() as page:
        page.open(WORK / "cut.html", "view=code")
        assert "there was too much code" in page.text(".code output"), page.text(".code output")


def exits_of_code_have_marks():
    if not (VM.parent / "libkeyhole-llvm.so").exists():
        reports.append("left out: exits_of_code_have_marks: the optimising tier, which is not built")
        return
    source = SOURCES.parent / "recording" / "Tiers.java"
    run([VM, "-Xcomp", "-XX:TieredStopAtLevel=4", "-XX:StartRecording=tiers.khr", source])
    look("--recording", "tiers.khr", "--output", "tiers.html")
    told = [json.loads(line) for line in
            run([VM, "--show", "tiers.khr", "--to=json", "--event=deoptimized,loop_entered"]).stdout.splitlines()]
    left = [event for event in told if event["event"] == "deoptimized"]
    with browser() as page:
        page.open(WORK / "tiers.html", "view=code")
        assert f"deoptimized {len(left):,}×" in page.text(".code output"), (len(left), page.text(".code output"))
        page.run("""
          const search = document.querySelector(".code input[type=search]");
          search.value = "Tiers.areas";
          search.dispatchEvent(new Event("input"))""")
        page.until("return document.querySelectorAll('.code .row').length === 1")
        of_areas = [event for event in left if " Tiers.areas(" in event["method"]]
        mark = page.run("""
          const mark = document.querySelector(".code .change.left");
          mark.click();
          return mark.title""").splitlines()
        assert mark[0].startswith(f"deoptimized {len(of_areas)}×, from "), mark
        assert any("× class: Tiers.areas(Tiers.java:26)" in line for line in mark[1:]), mark
        assert "deoptimized" in page.text(".details"), page.text(".details")
        entered = page.run("return [...document.querySelectorAll('.code .change:not(.left)')].map((each) => each.title)")
        assert any("level 4: Tiers.areas(Tiers.java:25)" in words for words in entered), entered
        page.picture(WORK / "tiers.png")


def listings_are_what_the_flags_print():
    done = look("--code=Hot.hot", "--keep", "hot.khr", "--output", "hot.html", "-XX:+PrintAssembly", "-XX:PrintIR=optimise",
                SOURCES / "Hot.java", "3000")
    assert (WORK / "hot.khr.code").exists()
    with browser() as page:
        page.open(WORK / "hot.html", "view=code")
        listings = page.run("""
          const { methods } = keyhole.recording.head.listings;
          return methods.flatMap(([method]) => keyhole.recording.listings(method))""")
        levels = {listing["level"] for listing in listings}
        assert levels & {1, 3} and 4 in levels, levels
        for listing in listings:
            assert f"int Hot.hot(int, java.lang.Object)\n{listing['assembly']}\n" in done.stdout, listing
            assert (listing["graph"] != "") == (listing["level"] == 4) and listing["graph"] in done.stdout, listing
            assert "imul" in listing["bytecode"] and listing["source"] == "Hot.java", listing
        page.run("document.querySelector('.code .row .link').click()")
        page.frames()
        source = [line.strip() for line in (SOURCES / "Hot.java").read_text().splitlines()]
        assert f"9  {source[8]}" in page.text(".bytecode .source"), page.text(".bytecode")
        assert re.search(r"loop: entered \d+ times|taken \d+, not taken \d+", page.text(".bytecode .note")), \
            page.text(".bytecode")
        page.run("""
          const line = [...document.querySelectorAll(".bytecode .code")].find((each) => each.textContent.includes("imul"));
          line.click()""")
        shown = lit(page)
        assert any("imul" in line for line in shown["baseline"]) and len(shown["optimised"]) > 1, shown
    done = look("--output", "plain.html", SOURCES / "Hot.java", "100")
    assert "hot.khr" not in done.stderr and not list(WORK.glob("plain*.code")), done.stderr
    assert not list(TEMPORARY.glob("keyhole-look-*")), "a file is left"


def two_modes_side_by_side():
    """--modes runs the program in each mode. The page has figures of both runs, and a frame for each; linked frames
    show the same view and the same time."""
    program = ROOT / "examples" / "ProducerConsumer.java"
    once = run([VM, program]).stdout
    done = look("--modes", "lightweight,cjm-fifo", "--keep", "run.khr", "--output", "modes.html", program)
    assert done.stdout == 2 * once, done.stdout
    assert "ProducerConsumer runs in the locking mode cjm-fifo" in done.stderr, done.stderr
    taken = []
    for mode in ("lightweight", "cjm-fifo"):
        shown = run([VM, "--show", f"run.khr.{mode}", "--to=json"]).stdout
        events = [json.loads(row) for row in shown.splitlines()]
        assert [event["mode"] for event in events if event["event"] == "lock_mode"] == [mode], mode
        taken.append(sum(event["event"] == "lock_enter" for event in events) +
                     sum(event["pairs"] for event in events if event["event"] == "lock_pairs"))
    shown = "return [0, 1].map((i) => frames[i].keyhole.state.shown)"
    with browser(width=1600) as page:
        page.open(WORK / "modes.html", "")
        rows = page.run("return [...document.querySelectorAll('.figures tr')].map(row => [...row.cells].map(each => each.innerText))")
        names, *sides, ratios = rows
        assert [side[0] for side in sides] == ["lightweight", "cjm-fifo"], rows
        place = names.index("locks taken")
        assert [side[place] for side in sides] == [f"{each:,}" for each in taken], (rows, taken)
        assert ratios[place] == f"{taken[1] / taken[0]:.2f}", (rows, taken)
        modes = page.run("return [0, 1].map((i) => frames[i].keyhole.recording.head.mode)")
        assert modes == ["lightweight", "cjm-fifo"], modes
        page.run("frames[1].document.getElementById('tab-heap').click()")
        page.run("frames[0].keyhole.state.zoom(0.5)")
        page.frames()
        left, right = page.run(shown)
        assert left["view"] == right["view"] == "heap", (left, right)
        assert left["from"] == right["from"] > 0 and left["until"] == right["until"], (left, right)
        page.click("//button[text()='linked']")
        page.run("frames[1].document.getElementById('tab-numbers').click()")
        address = page.run("return location.hash.slice(1)")
        page.open(WORK / "modes.html", address)
        left, right = page.run(shown)
        assert (left["view"], right["view"]) == ("heap", "numbers"), (left, right, address)
        page.click("//button[text()='linked']")
        assert page.run(shown)[1]["view"] == "heap", "linking takes over the view of the first side"


def a_page_of_compared_locks():
    words = ["--compare-locks", "--modes", "lightweight,none", "--variant", "turns=-XX:+MonitorTurns", "--runs", "1",
             "--page", "locks.html", "--json", "locks.json"]
    run([VM, *words, ROOT / "examples" / "ProducerConsumer.java"])
    figures = json.loads((WORK / "locks.json").read_text())
    place = WORK / "figures"
    place.mkdir()
    with browser() as page:
        page.save_into(place)
        page.open(WORK / "locks.html", "all modes")
        page.key("s")
        page.until_file(place / "locks-all-modes.svg")
        drawn = xml.etree.ElementTree.parse(place / "locks-all-modes.svg").getroot()
        said = " ".join(each.text or "" for each in drawn.iter("{http://www.w3.org/2000/svg}text"))
        marks = sum(each.tag.endswith("rect") for each in drawn.iter())
        assert "lightweight with turns" in said and "What decided" in said and marks >= 4, (said, marks)
        page.click("//button[text()='PNG']")
        page.until_file(place / "locks-all-modes.png")
        lightweight = figures["modes"][0]
        shown = page.text(".comparison")
        wall = lightweight["wall_ms"]   # the page rounds halves up
        assert f"{wall:.1f} ms" in shown or f"{math.floor(wall + 0.5)} ms" in shown, shown
        if "hotspot" in figures:
            assert re.search(r"^HotSpot\s", shown, re.MULTILINE), shown
        assert figures["words"][0].replace("`", "") in shown and "runs one application thread" in shown, shown
        from selenium.webdriver.common.keys import Keys
        page.key(Keys.ARROW_RIGHT)
        shown = page.text(".comparison")
        assert shown.startswith("lightweight") and f"{lightweight['recorded']['enters']:,}" in shown, shown
        assert figures["modes"][0]["recorded"]["hot"][0]["class"] in shown, shown
        assert "2 locking modes" in page.text("header"), page.text("header")
        page.key(Keys.ARROW_RIGHT)
        assert page.text(".comparison").startswith("lightweight with turns"), page.text(".comparison")


def ten_million_events():
    look("--keep", "ten.khr", "--output", "ten.html", "-XX:-RecordLockRuns", "-Xmx64m", "-cp", CLASSES, "Ten", "840000")
    summary = run([VM, "--show", "ten.khr", "--summary"]).stdout
    events, length = re.search(r"(\d+)  events of .*, ([\d.]+) bytes each", summary).groups()
    assert int(events) >= 10_000_000 and float(length) <= 6, summary
    with browser() as page:
        seconds = page.open(WORK / "ten.html")
        page.key("7")
        page.frames()
        frames = page.driver.execute_async_script("""
          const done = arguments[0], list = document.querySelector('.rows');
          let frames = 0;
          const begin = performance.now();
          const next = () => {
            list.scrollTop += 400;
            frames++;
            const gone = performance.now() - begin;
            if (gone < 2000) requestAnimationFrame(next);
            else done(frames / gone * 1000);
          };
          requestAnimationFrame(next)""")
        page.run("const list = document.querySelector('.rows'); list.scrollTop = list.scrollHeight / 2")
        page.frames()
        assert page.text(".events .row").count("lock_enter") > 3, page.text(".events")
        size = (WORK / "ten.html").stat().st_size
        reports.append(f"measured: {events} events: {length} bytes each, a page of {size / 1e6:.1f} MB that opens in "
                       f"{seconds:.1f} s and scrolls with {frames:.0f} frames a second")
        assert seconds <= 4 * float(os.environ.get("KEYHOLE_TIME_FACTOR", "2")), f"the page has opened in {seconds:.1f} s"


PLAIN = [an_older_page_is_built_again, a_program_keeps_its_input_output_and_exit_code, errors_in_words]
IN_BROWSER = [a_recording_that_ends_early_is_shown_up_to_there, pictures_of_all_views, views_are_saved_as_pictures,
              a_large_view_for_projectors, facts_of_the_fixed_recording,
              words_stand_apart, keys_alone, virtual_threads_are_a_group, clicks_lead_to_the_worst,
              the_deadlock_of_the_readme,
              all_events_are_those_of_show, locks_as_their_algorithms_have_them, the_life_of_one_object,
              a_flame_graph, a_method_opens, exits_of_code_have_marks, listings_are_what_the_flags_print,
              two_modes_side_by_side, a_page_of_compared_locks, ten_million_events]


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    CLASSES.mkdir(parents=True)
    TEMPORARY.mkdir()
    if not (VM.parent / "look-page.html").exists():
        print("left out: all: there is no page (build the target look_page, which needs npm's packages)")
        print("0 passed, 0 failed")
        return 0
    run([pathlib.Path(JDK) / "bin" / "javac", "-d", CLASSES, *SOURCES.glob("*.java"), ROOT / "tests/launcher/recording/Life.java"])
    tests = PLAIN + IN_BROWSER
    if problem := browsers.missing():
        print(f"left out: {', '.join(test.__name__ for test in IN_BROWSER)}: {problem}")
        tests = PLAIN
    wanted = [word for word in sys.argv[1:] if not word.startswith("--")]
    return run_tests(by_name(tests), wanted, reports, problems=Exception)   # Selenium has its own


if __name__ == "__main__":
    sys.exit(main())
