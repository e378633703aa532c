#!/usr/bin/env python3
"""Plants the faults of tests/faults.toml one by one, and says which test finds each.

    scripts/faults.py check                     is every snippet found exactly once?
    scripts/faults.py run [ID ...]              plant, test, restore; what FILE has already is not done again
        --keep-results FILE                     where the results are kept (target/faults.json)
        --near                                  its own tests and its crate's alone: what these miss stays undecided
    scripts/faults.py mark FILE                 write the results of FILE into tests/faults.toml, as caught_by
    scripts/faults.py draw                      the places that the seed draws, in their order

A fault runs its own tests first, then those of its crate, then those of the crates above. The first test that fails has
caught it. Run it from a clean checkout: a planted fault stays in the source only if this program is killed by force.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FAULTS = ROOT / "tests/faults.toml"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
# The tests of this package start the program itself, so it has to be built before them.
WHOLE = "matchbook-tests"
# These compare sources with files that were made from them, and so fail for any change at all.
NEVER = ["tidy::"]
# Longer than any crate's tests take on a busy machine: a fault that stops a test for good is caught by that test.
MOST_SECONDS = 3600
NOTHING = "nothing"


def faults():
    return tomllib.loads(FAULTS.read_text())["fault"]


def sources():
    for path in sorted(ROOT.rglob("*.rs"), key=str):
        inside = path.relative_to(ROOT).parts
        if inside[0] not in ("target", "data", ".git") and TARGET not in path.parents:
            yield path


def place(fault, files):
    """The one file that holds the snippet."""
    found = [(path, text.count(fault["find"])) for path, text in files.items() if fault["find"] in text]
    times = sum(count for _, count in found)
    if times != 1:
        where = ", ".join(str(path.relative_to(ROOT)) for path, _ in found)
        raise LookupError(f"its snippet is found {times} times" + (f": {where}" if where else ""))
    if fault["find"] == fault["replace"]:
        raise LookupError("it changes nothing")
    return found[0][0]


def check(wanted):
    files = {path: path.read_text() for path in sources()}
    known, wrong = set(), 0
    for fault in faults():
        try:
            where = place(fault, files).relative_to(ROOT)
            if fault["id"] in known:
                raise LookupError("another fault has this id")
            print(f"{fault['id']}: {where}")
        except LookupError as error:
            wrong += 1
            print(f"{fault['id']}: {error}", file=sys.stderr)
        known.add(fault["id"])
    return 1 if wrong else 0


class Crates:
    """The packages of the workspace, as cargo tells of them."""

    def __init__(self):
        told = subprocess.run(
            ["cargo", "metadata", "--no-deps", "--format-version", "1"], cwd=ROOT, check=True, capture_output=True
        )
        packages = json.loads(told.stdout)["packages"]
        names = {package["name"] for package in packages}
        self.folders = {Path(package["manifest_path"]).parent: package["name"] for package in packages}
        needs = {p["name"]: {d["name"] for d in p["dependencies"]} for p in packages}
        self.needs = {name: needed & names for name, needed in needs.items()}
        self.databases = {name for name, needed in needs.items() if "sqlx" in needed}

    def of(self, path):
        return next(self.folders[folder] for folder in path.parents if folder in self.folders)

    def below(self, name):
        return {name}.union(*(self.below(needed) for needed in self.needs[name]))

    def from_one_up(self, name):
        """It and those that need it, each after all that it needs; the whole tests at the end."""
        above = [other for other in self.needs if name in self.below(other)]
        return sorted(above, key=lambda other: (other == WHOLE, len(self.below(other))))


class Outcome:
    def __init__(self):
        self.failed = None
        self.builds = True


def cargo(arguments, wrapper):
    """Runs cargo up to the first test that fails."""
    command = (wrapper or []) + ["cargo", *arguments]
    # A group of its own: ctrl-C reaches this program alone, which then ends the group and restores the source.
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        start_new_session=True, env={**os.environ, "SQLX_OFFLINE": "true"},
    )
    signal.alarm(MOST_SECONDS)
    outcome, running, slow, last = Outcome(), "", None, ""
    try:
        for line in process.stdout:
            line = line.rstrip()
            last = line or last
            if "could not compile" in line:
                outcome.builds = False
            if binary := re.match(r"\s*(?:Running|Doc-tests) (.*)", line):
                running = binary[1]
            if late := re.match(r"test (.*) has been running for over", line):
                slow = late[1]
            if failed := re.match(r"test (.*?)(?: - should panic)? \.\.\. FAILED$", line):
                outcome.failed = failed[1]
                break
        if not outcome.failed and process.wait() != 0 and outcome.builds:
            outcome.failed = f"{running}: {last}"
    except TimeoutError:
        outcome.failed = slow or f"{running}: it never ends"
    finally:
        signal.alarm(0)
        end(process)
    return outcome


def end(process):
    for how, seconds in [(signal.SIGINT, 30), (signal.SIGTERM, 10), (signal.SIGKILL, 10)]:
        if process.poll() is None:
            os.killpg(process.pid, how)
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                continue
    process.stdout.close()


def test(arguments, package, crates, wrapper):
    """The first test that fails, and fails again by itself where it has a database: those wait for clocks."""
    wrapper = wrapper if package in crates.databases else None
    skipped, chance = list(NEVER) if package == WHOLE else [], []
    if package == WHOLE:
        built = cargo(["build", "--bin", "matchbook"], None)
        if not built.builds:
            return built, chance
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    ours, theirs = arguments[:cut], arguments[cut + 1 :]
    while True:
        skip = [word for name in skipped for word in ("--skip", name)]
        outcome = cargo(["test", "--all-features", *ours, "--", *theirs, *skip], wrapper)
        if not wrapper or not outcome.failed or not re.fullmatch(r"[\w:]+", outcome.failed) or len(chance) == 5:
            return outcome, chance
        again = cargo(["test", "--all-features", "-p", package, "--", "--exact", outcome.failed], wrapper)
        if again.failed:
            return outcome, chance
        chance.append(outcome.failed)
        skipped.append(outcome.failed)


def find(fault, path, crates, wrapper, near):
    """Which test finds a fault that is planted; none where that is not known yet."""
    named = fault["tests"]
    stages = [(named[named.index("-p") + 1], named)]
    stages += [(package, ["-p", package]) for package in crates.from_one_up(crates.of(path))[: 1 if near else None]]
    chances = []
    for at, (package, arguments) in enumerate(stages):
        print(f"    {' '.join(arguments)}", flush=True)
        outcome, chance = test(arguments, package, crates, wrapper)
        chances += chance
        if not outcome.builds:
            return {"caught_by": "does not build"}
        if outcome.failed:
            result = {"caught_by": f"{package} {outcome.failed}", "by_its_own_tests": at == 0}
            return {**result, "failed_by_chance": chances} if chances else result
    return None if near else {"caught_by": NOTHING, "failed_by_chance": chances}


def run(wanted):
    kept = Path(wanted.keep_results or TARGET / "faults.json")
    results = json.loads(kept.read_text()) if kept.exists() else {}
    chosen = [fault for fault in faults() if fault["id"] in wanted.ids or not wanted.ids]
    crates = Crates()
    # A copy, because the program itself is built again with faults in it.
    program = TARGET / "faults/matchbook"
    if not (TARGET / "debug/matchbook").exists():
        subprocess.run(["cargo", "build", "--bin", "matchbook"], cwd=ROOT, check=True)
    program.parent.mkdir(parents=True, exist_ok=True)
    if not program.exists():
        shutil.copy2(TARGET / "debug/matchbook", program)
    wrapper = [str(program), "db", "with", "--temporary", "--"]
    for fault in chosen:
        if fault["id"] in results:
            continue
        print(f"{fault['id']}: {fault['behaviour']}", flush=True)
        path = place(fault, {path: path.read_text() for path in sources()})
        good, began = path.read_text(), time.monotonic()
        try:
            path.write_text(good.replace(fault["find"], fault["replace"]))
            result = find(fault, path, crates, wrapper, wanted.near)
        finally:
            # With the time of now: cargo would take an older one for what it has built last, with the fault.
            path.write_text(good)
        if result is None:
            print("    undecided", flush=True)
            continue
        results[fault["id"]] = {**result, "seconds": round(time.monotonic() - began)}
        kept.write_text(json.dumps(results, indent=2) + "\n")
        print(f"    {result['caught_by']}", flush=True)
    escaped = [name for name, result in results.items() if result["caught_by"] == NOTHING]
    print(f"{len(results)} faults, {len(escaped)} caught by nothing: {', '.join(escaped) or '-'}")
    return 0


def mark(wanted):
    results = json.loads(Path(wanted.file).read_text())
    out, current = [], None
    for line in FAULTS.read_text().splitlines():
        if named := re.match(r'id = "(.*)"', line):
            current = named[1]
        if line.startswith("caught_by = ") and current in results:
            continue
        out.append(line)
        if line.startswith("tests = ") and current in results:
            out.append(f"caught_by = {json.dumps(results[current]['caught_by'])}")
    FAULTS.write_text("\n".join(out) + "\n")
    return 0


# Of each room: where it is, what of that is not drawn from, and how many of each folder.
ROOMS = {
    "engine": (["engine/src"], [], {"": 20}),
    "ledger": (["ledger/src"], ["ledger/src/store"], {"": 8}),
    "store": (["ledger/src/store", "ledger/src/store.rs"], [], {"": 4}),
    "record": (["record/src"], [], {"": 14}),
    "commands": (
        ["web/src/book", "web/src/account", "web/src/signing"],
        [],
        {"web/src/book": 10, "web/src/account": 3, "web/src/signing": 1},
    ),
}
FUNCTION = re.compile(r"(\s*)(?:pub(?:\([^)]*\))? )?(?:async |const )*fn (\w+)")


def lines(folders, without):
    """Every line of code in a function that is no test, with that function."""
    for path in sources():
        inside = str(path.relative_to(ROOT))
        if not inside.startswith(tuple(f"{f}/" if not f.endswith(".rs") else f for f in folders)):
            continue
        if inside.startswith(tuple(without)) or path.name == "tests.rs":
            continue
        text = path.read_text().split("\n#[cfg(test)]\nmod tests {")[0].split("\n")
        function = None
        for number, line in enumerate(text, 1):
            begins = FUNCTION.match(line)
            if begins and (function is None or text[function[2] - 1].endswith(("}", ";"))):
                function = (begins[1], begins[2], number)
            elif function and line == function[0] + "}":
                function = None
            elif function and text[function[2] - 1].endswith(("}", ";")):
                function = None
            elif function and re.search(r"\w", line) and not line.strip().startswith("//"):
                yield f"{inside}:{number}", f"{inside} {function[1]} {function[2]}"


def draw(_):
    for room, (folders, without, quotas) in ROOMS.items():
        drawn = list(lines(folders, without))
        random.Random(f"22 {room}").shuffle(drawn)
        functions = set()
        for at, function in drawn:
            quota = next(folder for folder in quotas if at.startswith(folder))
            if function in functions or sum(known.startswith(quota) for known in functions) >= 2 * quotas[quota]:
                continue
            functions.add(function)
            print(f"{room} {at} {function.split()[1]}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    commands.add_parser("check").set_defaults(act=check)
    running = commands.add_parser("run")
    running.add_argument("ids", nargs="*")
    running.add_argument("--keep-results", metavar="FILE")
    running.add_argument("--near", action="store_true")
    running.set_defaults(act=run)
    marking = commands.add_parser("mark")
    marking.add_argument("file")
    marking.set_defaults(act=mark)
    commands.add_parser("draw").set_defaults(act=draw)
    wanted = parser.parse_args()

    def late(*_):
        raise TimeoutError

    def stop(*_):
        raise KeyboardInterrupt

    signal.signal(signal.SIGALRM, late)
    signal.signal(signal.SIGTERM, stop)
    return wanted.act(wanted)


if __name__ == "__main__":
    sys.exit(main())
