"""Entries of a bibliography, and their citations in the text."""

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
_DATED = re.compile(
    r"(?<=[.)])(?<![A-Z][a-z]{2}\.)(?<!Sept\.) \(?(?:19[3-9]\d|20[0-4]\d)[a-z]?\)?\. (?=[A-Z“\d])"
)
_INITIALS_LAST = re.compile(r"[^\s,]+(?: [^\s,]+){0,2}, (?:[A-Z]\.[- ]?)+")
"""`Hinton, G. E.`: text after the last initial is no name."""
_PUBLISHED = re.compile(
    r"(?:,\s+(?:[A-Z][a-z]{2,8}\.?\s+)?(?:19|20)\d\d[a-z]?|,\s+(?:volume|pages?|pp\.) .*)$"
)
_BETWEEN_NAMES = frozenset(
    ["and", "et", "al", "van", "der", "den", "de", "la", "von", "di", "da", "del", "eds", "Jr"]
)
_VENUE = re.compile(
    r"\(?\d|In |URL|https?:|doi|DOI|ISBN|ISSN|PhD|\[Online|arXiv|Proceedings"
    r"|CoRR|Journal|ACM |IEEE |Springer"
)
_MOST_CITATIONS = 200


def reference_of(key: str, text: str, title: str = "", year: str = "") -> Reference:
    """Parse an entry from its text.

    Args:
        key: The paper's citation key.
        text: The whole entry.
        title: Its title, if a field has it; otherwise it is searched for in the text.
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
    """Return the title within an entry: a quoted part, or the part after the year or the names."""
    quoted = re.search(r"[“\"]([^”\"]{10,300})[”\"]", text)
    if quoted:
        return quoted.group(1).strip(" .,")
    text = re.sub(r"\s*\(eds?\.\)[.,]?(?=\s)", "", text)
    dated = _DATED.search(text[:400])  # names, year and title, as ACL and APA have them
    rest = text[dated.end() :] if dated else text
    sentences = [part.strip() for part in re.split(r"(?<=[\w)\]?!’]{2})[.?!]\s+", rest)]
    if not dated:
        after_names = re.split(r"(?<=\b[A-Z])\.\s+(?=[A-Z\d])", sentences[0])
        last = after_names[-1]
        known = len(after_names) > 1 and _INITIALS_LAST.match(text) and len(last.split()) > 1
        sentences = [last, *sentences[1:]] if known or not _are_names(last) else sentences[1:]
        if known:
            return _PUBLISHED.sub("", last.strip(" .,"))
    for sentence in sentences[:4]:
        title = _PUBLISHED.sub("", sentence.strip(" .,"))
        if len(title.split()) >= 2 and not _VENUE.match(title):
            return title
    return _PUBLISHED.sub("", sentences[0].strip(" .,")) if dated else ""


def _are_names(text: str) -> bool:
    """Return whether a piece of an entry is nothing but names and initials."""
    words = [word for word in re.findall(r"[\w’'-]+", text) if word not in _BETWEEN_NAMES]
    capital = sum(word[:1].isupper() for word in words)
    if len(words) <= 1:
        return True
    separated = "," in text or " and " in text or " & " in text or "et al" in text
    return capital == len(words) and (separated or len(words) <= 2)


def listed_references(text: str) -> list[Reference]:
    """Parse the entries of a plain-text list, a paragraph each, with or without `[1]`."""
    found: list[Reference] = []
    for paragraph in re.split(r"\n\s*\n", text):
        match = re.match(r"\s*(?:\[(\w{1,10})\]:?|(\d{1,3})\.(?=\s))\s*", paragraph)
        entry = paragraph[match.end() :] if match else paragraph
        if _YEAR.search(entry) and len(entry.split()) > 3:
            key = (match.group(1) or match.group(2)) if match else str(len(found) + 1)
            found.append(reference_of(key, entry[:4_000]))
    return found


def bib_entries(source: str) -> dict[str, dict[str, str]]:
    """Parse the entries of a BibTeX file: their fields in lower case, by key."""
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
    """Return a field's value that begins at a position, and its end."""
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
    """Return the references with the places in the text that cite them."""
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
    """Return the numbers of `1, 3-5`."""
    numbers: list[str] = []
    for part in re.split(r"\s?,\s?", text):
        ends = [int(end) for end in re.split(r"\s?[–-]\s?", part)]
        numbers += [str(number) for number in range(ends[0], min(ends[-1], ends[0] + 50) + 1)]
    return numbers
