"""What must hold: on the site that scripts/docs builds every link leads to a page, file and heading that is there, a
page loads nothing from elsewhere, and formulas are drawn.  usage: site.py FOLDER"""

import html.parser
import pathlib
import sys
import urllib.parse

folder = pathlib.Path(sys.argv[1])
IGNORED = {"#", ""}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.ids = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids.update(attrs[key] for key in ("id", "name") if attrs.get(key))
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        if tag in ("script", "img") and attrs.get("src"):
            self.loads.append(attrs["src"])
        if tag == "link" and attrs.get("rel") in ("stylesheet", "shortcut icon"):
            self.loads.append(attrs["href"])


pages = {path: Page(path.read_text()) for path in folder.rglob("*.html") if path.name not in ("404.html", "search.html")}
wrong = []
for path, page in pages.items():
    for link in page.loads + page.links:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or parts.netloc:
            if link in page.loads:
                wrong.append(f"{path}: loads {link}")
            continue
        target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path.resolve()
        if target.is_dir():
            target = target / "index.html"
        if not target.exists():
            wrong.append(f"{path}: {link} is not there")
        elif parts.fragment and target.suffix == ".html":
            known = next((p for q, p in pages.items() if q.resolve() == target), None)
            if known and urllib.parse.unquote(parts.fragment) not in known.ids:
                wrong.append(f"{path}: {link}: no such heading")
if not any("<math " in path.read_text() for path in pages):
    wrong.append(f"{folder}: no formula is drawn")
if not pages:
    wrong.append(f"{folder}: no pages")
print("\n".join(sorted(set(wrong))) or f"{len(pages)} pages")
sys.exit(bool(wrong))
