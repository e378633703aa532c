#!/usr/bin/env python3
"""Makes the data that a crawl is compared on: the demo, and beside it what the demo has none of.

    scripts/crawl_data.py BINARY FOLDER [PORT]

FOLDER is a new data folder. `who` in it says with which password, links and tokens scripts/crawl.py comes in. The ids,
keys and times in the data are of the day on which it was made, so two programs are compared on copies of one folder.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

UMPIRE, PASSWORD = "Demo umpire", "a password for the crawl alone"
RULESET = "five-card-trick/dm-colosseum-2"


class Site:
    """A site that is served from a folder."""

    def __init__(self, binary, folder, port):
        self.url, self.acts = f"http://127.0.0.1:{port}", 0
        self.environment = {**os.environ, "MATCHBOOK_DATA_DIR": folder, "MATCHBOOK_LISTEN": f"127.0.0.1:{port}"}
        self.binary = binary
        serve = [binary, "serve", "--demo", "--api-rate", "1000"]
        self.program = subprocess.Popen(serve, env=self.environment, stdout=subprocess.PIPE, text=True)
        self.said = ""
        while "Ctrl-C" not in self.said:
            line = self.program.stdout.readline()
            if not line:
                sys.exit("the demo did not start")
            self.said += line

    def command(self, *arguments):
        said = subprocess.run([self.binary, *arguments], env=self.environment, check=True, stdout=subprocess.PIPE, text=True)
        return said.stdout.strip()

    def api(self, path, body=None, token=None):
        """Asks, or acts where there is a body."""
        headers = {"authorization": f"Bearer {token or self.token}", "content-type": "application/json"}
        if body is not None:
            self.acts += 1
            headers["idempotency-key"] = f'"crawl-{self.acts}"'
        data = None if body is None else json.dumps(body).encode() if body else b""
        try:
            with urllib.request.urlopen(urllib.request.Request(f"{self.url}/api/v1/{path}", data, headers)) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            sys.exit(f"{path} {body}: {error.code} {error.read().decode()}")

    def open(self, p1, p2, **fields):
        """A new match, by its short name."""
        return self.api("matches", {"ruleset": RULESET, "players": {"p1": p1, "p2": p2}, **fields})["match"]

    def act(self, match, path, **fields):
        """Something that names the head it was decided on."""
        head = self.api(f"matches/{match}/state")["head"]
        return self.api(f"matches/{match}/{path}", {"head": head, **fields})

    def asked(self, match):
        return self.api(f"matches/{match}/state")["decisions"][0]["decision"]

    def moves(self, match, p1, p2):
        self.api(f"matches/{match}/moves", {"decision": self.asked(match), "moves": {"p1": p1, "p2": p2}})

    def seat(self, match, seat):
        """A player's link, by its token."""
        return self.api(f"matches/{match}/links", {"seat": seat})["token"]

    def set_password(self):
        """Signs in by the link that the demo prints."""
        link = re.search(r"/sign-in/link#(\w+)", self.said)[1]
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        for path, fields in [
            ("/sign-in/link", {"token": link}),
            ("/account/password", {"new": PASSWORD}),
            ("/account/name", {"public": "Minerva"}),
        ]:
            browser.open(self.url + path, urllib.parse.urlencode(fields).encode()).read()
        return browser

    def stop(self):
        self.program.send_signal(signal.SIGTERM)
        if self.program.wait() != 0:
            sys.exit("the demo did not stop well")


def fill(site):
    """Gives what the crawl needs to come in everywhere: its own arguments."""
    browser = site.set_password()
    site.token = site.command("token", "add", UMPIRE, "the crawl", "--scope", "admin")
    site.command("umpire", "add", "Una")
    seats, also = [], []

    # A recorded match with everything that an umpire does to one.
    match = site.open("Ada", "Bo", event="Crawl Cup")
    for p1, p2 in [("score grow", "score steal"), ("claim", "grow"), ("grow", "-"), ("steal", "claim")]:
        site.moves(match, p1, p2)
    seats.append(site.seat(match, "p2"))
    site.act(match, "notes", text="The players agreed to a break of ten minutes.")
    site.act(match, "warnings", seat="p2", text="Talked to the audience about the hand.")
    site.act(match, "rulings", text="The block counts: it was sent in time.", clause="1.4")
    site.act(match, "corrections", step=2, moves={"p2": "steal"}, reason="Mistyped.")
    site.act(match, "strikes", **{"from": 4}, reason="A card was shown too early.")
    site.api("seat/objections", {"step": 1, "text": "I sent Grow, not Steal."}, seats[-1])
    number = site.api(f"matches/{match}/objections")["objections"][0]["entry"]
    site.act(match, "objections/answers", objection=number, text="The message in the chat says Steal.")
    site.api("seat/objections", {"step": 3, "text": "I did send something."}, seats[-1])
    site.api(f"matches/{match}/private-notes", {"text": "Bo asked twice what Block does."})

    # Players who send by themselves, on the record and in practice, up to a question to which one of them has answered.
    for practice in [False, True]:
        match = site.open("Cleo", "Dov", mode="live", looks=practice, practice=practice)
        both = [site.seat(match, "p1"), site.seat(match, "p2")]
        for answers in [("score grow", "score steal"), ("claim", None)]:
            for token, text in zip(both, answers):
                if text:
                    site.api("seat/submissions", {"decision": site.asked(match), "text": text}, token)
            if all(answers):
                site.api(f"matches/{match}/close", {"decision": site.asked(match)})
        seats += both
        also += [f"/m/{match}"]

    # A clock that stands still, and practice that came to its end.
    match = site.open("Eve", "Finn", mode="live", clocks="posted")
    seats.append(site.seat(match, "p1"))
    site.api("seat/ready", {}, seats[-1])
    site.act(match, "clock/run")
    site.act(match, "clock/pause", reason="The chat is down")
    match = site.open("Gus", "Hana", practice=True)
    site.moves(match, "score grow", "score steal")
    site.act(match, "rulings", text="Hana resigned.", result="p1")
    site.act(match, "end")
    also += [f"/m/{match}"]

    plan = {"ruleset": RULESET, "players": {"p1": "Ada", "p2": "Ines"}, "mode": "live", "clocks": "posted"}
    plan = site.api("plans", {"starts_at": "2099-11-21T20:00:00Z", "match": plan})
    also += [f"/api/v1/plans/{plan['id']}"]
    # It is stopped at once, so that nothing is on its way when the folder is copied.
    hook = site.api("webhooks", {"address": "https://example.com/matchbook", "kinds": ["match.ended"]})
    site.api(f"webhooks/{hook['webhook']['id']}/stop", {})
    also += [f"/api/v1/webhooks/{hook['webhook']['id']}"]

    # Words that were withdrawn.
    listed = site.api("matches?player=tindra")["matches"][0]["slug"]
    page = browser.open(f"{site.url}/withdraw/m/{listed}").read().decode()
    fields = [("word", re.search(r'name="word" value="([^"]+)"', page)[1]), ("asked", "yes")]
    browser.open(f"{site.url}/withdraw/m/{listed}", urllib.parse.urlencode(fields).encode()).read()

    seats += re.findall(r"/play/(\w+)", site.said)
    arguments = ["--umpire", f"{UMPIRE}:{PASSWORD}", "--token", site.token]
    arguments += [word for token in seats for word in ("--seat", token)]
    return arguments + [word for address in also for word in ("--also", address)]


def main():
    binary, folder = sys.argv[1:3]
    os.makedirs(folder)
    site = Site(os.path.abspath(binary), os.path.abspath(folder), sys.argv[3] if len(sys.argv) > 3 else "18080")
    try:
        arguments = fill(site)
        # The archive is checked, counted and signed a few seconds after the last entry.
        time.sleep(20)
    finally:
        site.stop()
    with open(os.path.join(folder, "who"), "w", encoding="utf-8") as file:
        file.write("\n".join(arguments) + "\n")


main()
