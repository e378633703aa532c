"""A page as people see it, and as it is written, in lines that can be compared."""

import hashlib
import html.parser
from urllib.parse import urlencode

VOID = set("area base br col embed hr img input link meta source track wbr".split())
# Words on both sides of one of these are not one line.
BLOCK = set("""
    html head body main header footer nav section article div p h1 h2 h3 h4 ul ol li dl dt dd table caption tr form
    fieldset legend figure figcaption details summary pre svg title option button select textarea aside
""".split())
# Attributes that somebody reads or hears.
SAID = ["alt", "title", "aria-label", "placeholder", "content", "data-label"]


class Page(html.parser.HTMLParser):
    """`words` that are seen, `links` and `forms` with their fields; `asked`, where forms lead that only ask; and `markup`, a
    tag to a line."""

    def __init__(self, text):
        super().__init__()
        self.words, self.links, self.forms, self.asked, self.markup = [""], set(), [], set(), []
        self.inside, self.select = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = {name: value or "" for name, value in attributes}
        self.markup.append(" ".join([f"<{tag}", *(f"{name}={value!r}" for name, value in given.items())]))
        if tag not in VOID:
            self.inside.append(tag)
        if tag in BLOCK:
            self.words.append("")
        self.words[-1] += "".join(f" [{given[name]}]" for name in SAID if given.get(name))
        self.links |= {given[name] for name in ("href", "src") if name in given}
        if tag == "meta" and given.get("content", "").startswith("http://"):
            self.links.add(given["content"])
        if tag == "form":
            self.forms.append([" ".join(given.get(name, "-") for name in ("method", "action", "enctype"))])
        elif self.forms:
            self.field(tag, given)

    def field(self, tag, given):
        """What a form holds."""
        if tag in ("input", "select", "textarea", "button"):
            told = sorted(name for name in given if not name.startswith(("aria-", "class", "id")))
            self.forms[-1].append(" ".join([tag, *(f"{name}={given[name]}" for name in told)]))
            self.select = given.get("name", "") if tag == "select" else ""
        elif tag == "option":
            self.forms[-1].append(f"  option {given.get('value', '')}{' selected' if 'selected' in given else ''}")
            method, action, _ = self.forms[-1][0].split(" ")
            if method in ("get", "-") and self.select and given.get("value"):
                self.asked.add(f"{action}?{urlencode({self.select: given['value']})}")

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        self.markup.append(f"</{tag}")
        if tag in self.inside:
            while self.inside.pop() != tag:
                pass
        if tag in BLOCK:
            self.words.append("")

    def handle_data(self, data):
        if not data.strip():
            self.words[-1] += " "
        elif "script" in self.inside or "style" in self.inside:
            self.markup.append(f"{len(data)} characters, sha256 {hashlib.sha256(data.encode()).hexdigest()}")
        else:
            self.markup.append(" ".join(data.split()))
            self.words[-1] += data

    def text(self):
        words = filter(None, (" ".join(line.split()) for line in self.words))
        forms = ["\n  ".join(["form " + form[0], *form[1:]]) for form in self.forms]
        return "\n".join(["# words", *words, "# forms", *forms, "# links", *sorted(self.links)]) + "\n"
