"""Entries of a bibliography, and where the text cites them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mle_modernizer_server.domain.paper import Place, Reference, Section

_YEAR = re.compile(r"\b(19[3-9]\d|20[0-4]\d)[a-z]?\b")
_ARXIV = re.compile(r"(?:arxiv[:. /]*(?:abs/|preprint\s*)?(?:arxiv:)?|abs/)(\d{4}\.\d{4,5})", re.I)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}]+")
_URL = re.compile(r"https?://[^\s{}<>\"]+")
_CITED = re.compile(r"\[((?:@[^\s;\]]+)(?:; ?@[^\s;\]]+)*)\]")
_NUMBERS = re.compile(r"\[(\d{1,3}(?:\s?[,–-]\s?\d{1,3})*)\]")
_VENUE = re.compile(r"\(?\d|In |arXiv|Proceedings|CoRR|Journal|ACM |IEEE |Springer")
_MOST_CITATIONS = 200


def reference_of(key: str, text: str, title: str = "", year: str = "") -> Reference:
    """An entry from its text.

    Args:
        key: How the paper cites it.
        text: The whole entry.
        title: Its title, where a field says it; otherwise it is looked for in the text.
        year: Likewise.
    """
    plain = " ".join(text.split())
    years = _YEAR.findall(year or _ARXIV.sub("", plain))
    arxiv, doi, url = _ARXIV.search(plain), _DOI.search(plain), _URL.search(plain)
    return Reference(
        key=key,
        text=plain,
        title=title or _title(plain),
        year=int(years[-1]) if years else None,
        arxiv=arxiv.group(1) if arxiv else "",
        doi=doi.group().rstrip(".,;") if doi else "",
        url=url.group().rstrip(".,;)") if url else "",
    )


def _title(text: str) -> str:
    """The title within an entry: what is quoted, else the first sentence after the names."""
    quoted = re.search(r"[“\"]([^”\"]{10,300})[”\"]", text)
    if quoted:
        return quoted.group(1).strip(" .,")
    sentences = [part.strip() for part in re.split(r"(?<=[\w)\]?!’]{2})[.?!]\s+", text)]
    after_names = re.split(r"(?<=\b[A-Z])\.\s+(?=[A-Z][a-z])", sentences[0])
    if len(after_names) > 1 and len(after_names[-1].split()) > 2:
        return after_names[-1].strip(" .,")
    for sentence in sentences[1:4]:
        if len(sentence.split()) >= 2 and not _VENUE.match(sentence):
            return sentence.strip(" .,")
    return ""


def bib_entries(source: str) -> dict[str, dict[str, str]]:
    """The entries of a BibTeX file: their fields in lower case, by key."""
    found: dict[str, dict[str, str]] = {}
    for match in re.finditer(r"@(\w{1,40})\s*[{(]\s*([^\s,{}]{1,200})\s*,", source):
        if match.group(1).lower() in ("comment", "string", "preamble"):
            continue
        found.setdefault(match.group(2), _fields(source, match.end()))
    return found


def _fields(source: str, position: int) -> dict[str, str]:
    fields: dict[str, str] = {}
    name = re.compile(r"[\s,]*([\w-]{1,40})\s*=\s*")
    while match := name.match(source, position):
        position = match.end()
        value, position = _value(source, position)
        fields.setdefault(match.group(1).lower(), value)
    return fields


def _value(source: str, position: int) -> tuple[str, int]:
    """A field's value that begins at a position, and where it ends."""
    if position < len(source) and source[position] in '{"':
        closing = "}" if source[position] == "{" else '"'
        depth = 0
        for index in range(position + 1, min(len(source), position + 20_000)):
            char = source[index]
            if char == closing and depth == 0:
                return source[position + 1 : index], index + 1
            depth += (char == "{") - (char == "}")
        return "", len(source)
    plain = re.compile(r"[^,}\n]*").match(source, position)
    assert plain is not None  # the pattern also matches nothing
    return plain.group().strip(), plain.end()


def with_citations(
    references: Sequence[Reference], sections: Sequence[Section]
) -> tuple[Reference, ...]:
    """The references with the places in the text that cite them."""
    places: dict[str, list[Place]] = {item.key: [] for item in references}
    for index, section in enumerate(sections):
        for match in _CITED.finditer(section.text):
            for key in re.findall(r"@([^\s;\]]+)", match.group(1)):
                _note(places, key, index, match)
        for match in _NUMBERS.finditer(section.text):
            for key in _range(match.group(1)):
                _note(places, key, index, match)
    return tuple(
        item.model_copy(update={"citations": tuple(places[item.key][:_MOST_CITATIONS])})
        for item in references
    )


def _note(places: Mapping[str, list[Place]], key: str, section: int, match: re.Match[str]) -> None:
    if key in places:
        places[key].append(Place(section=section, start=match.start(), end=match.end()))


def _range(text: str) -> list[str]:
    """The numbers of `1, 3-5`."""
    numbers: list[str] = []
    for part in re.split(r"\s?,\s?", text):
        ends = [int(end) for end in re.split(r"\s?[–-]\s?", part)]
        numbers += [str(number) for number in range(ends[0], min(ends[-1], ends[0] + 50) + 1)]
    return numbers
