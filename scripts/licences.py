#!/usr/bin/env python3
"""Checks the crates that are built in by deny.toml, where cargo-deny is not installed: their licences, their sources, and
those that are refused. Advisories are cargo-deny's alone. Exit code 1 if a crate does not fit."""

import json
import re
import subprocess
import sys
import tomllib

with open("deny.toml", "rb") as file:
    RULES = tomllib.load(file)

ALLOWED = set(RULES["licenses"]["allow"])
REFUSED = {crate["name"] for crate in RULES["bans"]["deny"]}
REGISTRIES = {f"registry+{address}" for address in RULES["sources"]["allow-registry"]}


def packages():
    """The packages for the systems of deny.toml."""
    targets = [f"--filter-platform={target}" for target in RULES["graph"]["targets"]]
    command = ["cargo", "metadata", "--format-version=1", "--locked", "--all-features", *targets]
    asked = subprocess.run(command, check=False, stdout=subprocess.PIPE)
    if asked.returncode != 0:
        # Crates for other systems than this one are not here before they are asked for.
        print("skipped: licences and sources need all crates, which cannot be fetched from here")
        sys.exit(0)
    metadata = json.loads(asked.stdout)
    used = {node["id"] for node in metadata["resolve"]["nodes"]}
    return [package for package in metadata["packages"] if package["id"] in used]


def is_met(flat):
    """True if an expression without brackets can be met: AND binds closer than OR."""
    parts = [part.split(" AND ") for part in flat.split(" OR ")]
    return any(all(term.strip() in {*ALLOWED, "met"} for term in part) for part in parts)


def is_allowed(expression):
    """True if an SPDX expression can be met by the allowed licences. A slash is an old OR."""
    expression = expression.replace("/", " OR ")
    while bracket := re.search(r"\(([^()]*)\)", expression):
        said = "met" if is_met(bracket[1]) else "not met"
        expression = expression[: bracket.start()] + said + expression[bracket.end() :]
    return is_met(expression)


def fault(package):
    """What does not fit, if anything."""
    if package["name"] in REFUSED:
        return "is refused"
    if package["source"] not in {None, *REGISTRIES}:
        return f"comes from {package['source']}"
    if not package["license"]:
        return None if package["license_file"] else "names no licence"
    return None if is_allowed(package["license"]) else f"has the licence {package['license']}"


assert is_allowed("(MIT OR GPL-2.0-only) AND ISC") and is_allowed("MIT AND ISC OR GPL-2.0-only")
assert not is_allowed("MIT AND GPL-2.0-only") and not is_allowed("(MIT AND GPL-2.0-only) OR (ISC AND LGPL-3.0-only)")
found = packages()
faults = [f"{package['name']} {package['version']} {why}" for package in found if (why := fault(package))]
print("\n".join(faults) if faults else f"licences and sources of {len(found)} crates are those of deny.toml")
sys.exit(bool(faults))
