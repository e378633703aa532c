#!/usr/bin/env python3
"""Reads what a running site answers, so that two readings can be compared.

    scripts/crawl.py URL FOLDER [--umpire NAME:PASSWORD] [--token TOKEN] [--seat TOKEN]... [--also ADDRESS]... [--bound N]
    scripts/crawl.py --compare A B [--markup]

FOLDER/index.tsv has a line for every reader and address: status, content type, location, whether there is an etag, the
status with that etag, cache-control, how long it is, and the other headers. FOLDER/<reader>/ has the answers as text; of
pages also the markup, a tag to a line, which only `--markup` compares. FOLDER/unmet.txt names the kinds of addresses of
which none was found. Two sites are compared on copies of the same data: scripts/crawl_data.py makes some, and
scripts/net.sh does all of it. Only GET is sent, except for signing in, and for requests of nobody that are refused.
"""

import argparse
import difflib
import hashlib
import http.client
import json
import os
import re
import sys
from urllib.parse import quote, urlencode, urljoin, urlsplit

from crawl_page import Page

# Pages say where they are. Under one name they say the same at every port.
HOST = "matchbook.test"

with open(os.path.join(os.path.dirname(__file__), "crawl_addresses.txt"), encoding="utf-8") as file:
    LINES = [line.strip() for line in file if line.strip() and not line.startswith("#")]
KINDS = [line for line in LINES if not line.startswith("+")]
SEEDS = [line.removeprefix("+ ") for line in LINES if line.startswith("+")]
# What is written out goes before what is in braces, and formats before names.
PATTERNS = [(re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+?)", re.escape(kind))), kind)
            for kind in sorted(KINDS, key=lambda kind: (kind.count("{"), "." not in kind, kind))]

# What differs from one reading of the same data to the next: a name, the addresses that say it, what is found there, and
# what is put in its place. Whatever else differs is a difference.
RULES = [(name, re.compile(where), re.compile(found), put) for name, where, found, put in [
    # A form counts once: each page that shows one makes an id for it.
    ("form", "/umpire|/play/|/withdraw", r'(name="(?:form|submit)" value=")[0-9a-f-]{32,36}(?=")', r"\1FORM"),
    # The server's clock: with it a stream begins, and what a seat's page, its program and the umpire's console count from.
    ("clock", "/m/.*/events|/play/.*/stands|/api/v1/seat", r'("(?:now|time)": ?)("[^"]*"|\d{16})', r"\1NOW"),
    ("clock", "/umpire/m/", r'( data-now=")\d{13}(?=")', r"\1NOW"),
    # A match that is opened is of today where nothing else is said; a time of today is written without its day.
    ("today", "/umpire/open$", r'(type="date" value=")[\d-]{10}(?=")', r"\1TODAY"),
    ("today", "/umpire/m/|/play/", r"\d+ \w{3} \d{4}, (?=\d\d:\d\d)", ""),
    # A token was used last when this reading used it.
    ("used", "/api/v1/tokens", r'("used_at": )"[^"]*"', r"\1USED"),
    # The session that this reading began: its name, and when it began and was used.
    ("session", "/account", r'(name="end" value=")[0-9a-f]{64}', r"\1SESSION"),
    ("signed in", "/account", r'<time datetime="[^"]*">[^<]*</time>', "<time>TIME</time>"),
    ("signed in", "/account", r"A program, \d+ \w+ \d+, \d\d:\d\d UTC", "A program, TIME"),
    # The cookies of a session and of a seat.
    ("cookie", "", r"(set-cookie: matchbook-[^=]*=)[0-9a-f]{64}", r"\1COOKIE"),
]]


# Headers that have a column of their own, and those of the connection.
APART = ["date", "content-length", "transfer-encoding", "content-type", "location", "etag", "cache-control"]


def sha(body):
    return hashlib.sha256(body).hexdigest()


def plain(address, text):
    """A text without what differs every time."""
    for _, where, found, put in RULES:
        if where.match(address):
            text = found.sub(put, text)
    return text


class Reader:
    """Somebody who reads: nobody in particular, an umpire, a player, or a program of theirs."""

    def __init__(self, url, name, headers=()):
        self.place, self.name = urlsplit(url).netloc, name
        self.headers = {"host": HOST, "user-agent": "crawl", **dict(headers)}
        self.connection = None

    def ask(self, address, method="GET", body=None, **headers):
        """Status, headers and body of an answer; of a stream, what comes at once."""
        self.connection = self.connection or http.client.HTTPConnection(self.place, timeout=120)
        try:
            self.connection.request(method, address, body, {**self.headers, **headers})
            answer = self.connection.getresponse()
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            self.connection = None
            return self.ask(address, method, body, **headers)
        if "event-stream" not in answer.headers.get("content-type", ""):
            return answer.status, answer.headers, answer.read()
        self.connection.sock.settimeout(0.5)
        found = b""
        try:
            while part := answer.read1():
                found += part
        except TimeoutError:
            pass
        self.connection.close()
        self.connection = None
        return answer.status, answer.headers, found

    def send(self, address, **fields):
        """Sends a form, and keeps the cookie that comes of it."""
        kind = {"content-type": "application/x-www-form-urlencoded"}
        status, headers, body = self.ask(address, "POST", urlencode(fields), **kind)
        if status != 303 or "set-cookie" not in headers:
            sys.exit(f"{self.name} does not come in at {address}: {status} {body.decode()}")
        self.headers["cookie"] = headers["set-cookie"].split(";")[0]
        return headers["location"]


def matched(address):
    """The kind of an address and what stands in its places; its own where it has none."""
    path, _, query = address.partition("?")
    asked = sorted({part.partition("=")[0] for part in query.split("&") if part})
    asked = "" if not asked else f"?{asked[0]}" if len(asked) == 1 else "?several"
    for pattern, kind in PATTERNS:
        if found := pattern.fullmatch(path):
            return kind + asked, found.groupdict()
    return re.sub(r"\d+", "0", path) + asked, {}


class Crawl:
    """What was read, and where it is written down."""

    def __init__(self, folder, bound):
        self.folder, self.bound = folder, bound
        self.lines, self.met = [], set()

    def read(self, reader, seeds, only=lambda address: True, follow=True):
        """Reads from these addresses on, so many of each kind. Which ones does not depend on the order in which they are
        found. They are taken by their hashes: by their names all moments would be of one match."""
        found, done, counts, met = set(seeds), set(), {}, []
        while fresh := sorted(filter(only, found - done), key=lambda address: sha(address.encode())):
            for address in fresh:
                done.add(address)
                kind, places = matched(address)
                if address not in seeds and counts.get(kind, 0) >= self.bound:
                    continue
                counts[kind] = counts.get(kind, 0) + 1
                links = self.note(reader, address, kind)
                if links is not None and follow:
                    found |= links
                    met.append(places)
            found |= self.filled(met)
        return done

    def filled(self, met):
        """The addresses of whatever was met, such as a match, a player or a moment, whether a link leads there or not."""
        found = set()
        for kind in KINDS:
            places = re.findall(r"\{(\w+)\}", kind)
            values = {tuple(one[place] for place in places) for one in met if places and set(places) <= set(one)}
            # As many as are read of a kind, and not of the same matches for every kind.
            for value in sorted(values, key=lambda value: sha((kind + "/".join(value)).encode()))[: self.bound]:
                filled = iter(value)
                found.add(re.sub(r"\{\w+\}", lambda _: next(filled), kind))
        return found

    def note(self, reader, address, kind, method="GET"):
        """Reads one address and writes it down; gives what it leads to, and None where nothing is there."""
        status, headers, body = reader.ask(address, method)
        again = "-"
        if "etag" in headers and method == "GET":
            again = str(reader.ask(address, **{"if-none-match": headers["etag"]})[0])
        text, links, markup = told(address, headers.get("content-type", ""), body)
        who = reader.name if method == "GET" else f"{reader.name} {method}"
        others = (plain(address, f"{name}: {value}") for name, value in headers.items() if name.lower() not in APART)
        self.lines.append("\t".join([
            who, address, str(status), headers.get("content-type", "-"), headers.get("location", "-"),
            "etag" if "etag" in headers else "-", again, headers.get("cache-control", "-"),
            f"<{1 << len(text).bit_length()}", "; ".join(sorted(others)),
        ]))
        self.met.add(kind.partition("?")[0])
        self.keep(who, address, text, markup)
        if status >= 400:
            return None
        links = {urljoin(address, link) for link in links | {headers.get("location", "")}}
        links = {link.removeprefix(f"http://{HOST}").partition("#")[0] for link in links}
        return {link for link in links if link.startswith("/") and not link.startswith("//") and "…" not in link}

    def keep(self, who, address, text, markup):
        """Writes down what was read, under a name that can be read as well."""
        name = quote(address.removeprefix("/"), safe="/?=&").replace("/", ",") or "home"
        name = name if len(name) < 150 else f"{name[:130]}-{sha(address.encode())[:12]}"
        folder = os.path.join(self.folder, who.replace(" ", "-"))
        os.makedirs(folder, exist_ok=True)
        for end, lines in [(".txt", text), (".html", markup)]:
            if lines is not None:
                with open(os.path.join(folder, name + end), "w", encoding="utf-8") as file:
                    file.write(lines)

    def refusals(self, reader):
        """What nobody in particular may not send, to one address of each kind. Nothing comes of it."""
        one = {}
        for who, address, *_ in sorted(line.split("\t") for line in self.lines):
            kind = matched(address)[0].partition("?")[0]
            # The link to a seat is for whoever has it.
            if who == reader.name and kind in KINDS and kind != "/play/{token}":
                one.setdefault(kind, address.partition("?")[0])
        for kind, address in sorted(one.items()):
            for method in ["POST", "DELETE", "OPTIONS", "HEAD"]:
                self.note(reader, address, kind, method)

    def write(self):
        with open(os.path.join(self.folder, "index.tsv"), "w", encoding="utf-8") as file:
            file.write("\n".join(sorted(self.lines)) + "\n")
        unmet = [kind for kind in KINDS if kind not in self.met]
        with open(os.path.join(self.folder, "unmet.txt"), "w", encoding="utf-8") as file:
            file.write("".join(f"{kind}\n" for kind in unmet))
        print(f"{len(self.lines)} answers; no address was found of {', '.join(unmet) or 'no kind'}")


def told(address, kind, body):
    """What an answer says, in lines that can be compared; the addresses in it; and the markup of a page."""
    if address in ("/assets/verifier.wasm", "/assets/beacon.wasm"):
        # It is built from the sources, so it differs whenever they do.
        return "a module\n", set(), None
    if not re.search("text|json|xml|javascript|svg", kind):
        return f"{len(body)} bytes, sha256 {sha(body)}\n", set(), None
    text = body.decode("utf-8", "replace")
    if "html" in kind:
        page = Page(plain(address, text))
        return page.text(), page.links | page.asked, "\n".join(page.markup) + "\n"
    if "json" in kind and "ndjson" not in kind and text:
        text = json.dumps(json.loads(text), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    # The examples in the document of the API are of another site.
    links = set() if address == "/openapi.json" else set(re.findall(rf'"(?:http://{HOST})?(/[^"\\\s{{]*)\\?"', text))
    return plain(address, text), links, None


def crawl(wanted):
    crawl = Crawl(wanted.folder, wanted.bound)
    seeds = {kind for kind in KINDS if "{" not in kind} | set(SEEDS) | set(wanted.also or [])
    anyone = Reader(wanted.url, "anyone")
    done = crawl.read(anyone, seeds)
    # Refused in the words that are for programs.
    crawl.read(Reader(wanted.url, "json", {"accept": "application/json"}), seeds, follow=False)
    crawl.refusals(anyone)
    if wanted.umpire:
        umpire = Reader(wanted.url, "umpire")
        name, _, password = wanted.umpire.partition(":")
        umpire.send("/sign-in", name=name, password=password)
        # Pictures, tiles and the API know nobody by a cookie.
        crawl.read(umpire, seeds, lambda address: not re.match(r".*\.(png|svg)\b|/(tile|assets|api/v1)/", address))
    if wanted.token:
        api = {address for address in done if address.startswith("/api/")}
        program = Reader(wanted.url, "program", {"authorization": f"Bearer {wanted.token}"})
        crawl.read(program, api, lambda address: address.startswith("/api/"))
    for number, token in enumerate(wanted.seat or [], 1):
        player = Reader(wanted.url, f"player{number}")
        crawl.note(player, f"/play/{token}", "/play/{token}")
        home = player.send(f"/play/{token}")
        own = (kind.removeprefix("/play/m/{own}/{seat}") for kind in KINDS if kind.startswith("/play/m/{own}/{seat}"))
        crawl.read(player, {home + rest for rest in own if "{" not in rest}, lambda address: address.startswith(home))
        seat = Reader(wanted.url, f"seat{number}", {"authorization": f"Bearer {token}"})
        theirs = {kind for kind in KINDS if kind.startswith("/api/v1/seat")}
        crawl.read(seat, theirs | {"/api/v1/me", "/api/v1/tokens"}, follow=False)
    crawl.write()


def compare(one, other, markup):
    """Prints the differences between two readings, and gives 1 where there are any."""
    def files(folder):
        found = (os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names)
        return {name for name in found if markup or not name.endswith(".html")}

    def lines(folder, name):
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return file.read().split("\n")

    differs = 0
    for name in sorted(files(one) | files(other)):
        names = f"{one}/{name}", f"{other}/{name}"
        for line in difflib.unified_diff(lines(one, name), lines(other, name), *names, lineterm=""):
            differs = 1
            print(line)
    return differs


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("url", nargs="?")
    words.add_argument("folder", nargs="?")
    words.add_argument("--umpire", metavar="NAME:PASSWORD")
    words.add_argument("--token", help="of an umpire, for programs")
    words.add_argument("--seat", action="append", metavar="TOKEN", help="of a player's link")
    words.add_argument("--also", action="append", metavar="ADDRESS", help="one that no link leads to")
    words.add_argument("--bound", type=int, default=25, help="how many addresses of a kind are read")
    words.add_argument("--compare", nargs=2, metavar=("A", "B"))
    words.add_argument("--markup", action="store_true")
    wanted = words.parse_args()
    if wanted.compare:
        return compare(*wanted.compare, wanted.markup)
    if not wanted.folder:
        words.error("URL and FOLDER are needed")
    return crawl(wanted)


if __name__ == "__main__":
    sys.exit(main())
