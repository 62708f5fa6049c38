"""Sentences → claims: a metric and a number that belongs to it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mle_modernizer_server.domain.paper import Claim, ClaimSource, Doubt, Paper, PaperFormat
from mle_modernizer_server.reproducing.claims.names import OwnNames
from mle_modernizer_server.reproducing.claims.numbers import Number, numbers_in
from mle_modernizer_server.reproducing.claims.vocabulary import Metric, datasets_in, metrics_in
from mle_modernizer_server.reproducing.sentences import Sentence, sentences

_MOST_APART = 80
"""Characters between a number and the metric it belongs to."""
_CHANGE = re.compile(
    r"\b(?:by|margin of|improvements? of|gains? of|increases? of|drops? of|reductions? of"
    r"|decreases? of|difference of|boost of|p\s*[<=>]|α\s*=|additional|than|least|most|around"
    r"|threshold of|top|cut-?off of)"
    r"\s*(?:(?:about|over|up to|roughly|nearly|almost|a|an|the|peak)\s*)*[~≈<>]?\s*$",
    re.IGNORECASE,
)
_SETTING = re.compile(
    r"(?<!\w)(?:learning rate|batch(?: size)?|dropout|weight decay|momentum|epochs?|steps?|size"
    r"|layers?|dimension(?:ality)?|seeds?|folds?|ratio|probability|split|fraction|rate of|decay"
    r"|temperature|[βλαγεσ]|years?|version|Section|Table|Figure|Fig\.|Eq\.|Appendix|Algorithm"
    r"|k|n|N|K)\s*(?:\S{1,12}\s)?(?:of|to|=|is|was|∈|with|:|are)?\s*\(?$"
)
_UNIT = re.compile(
    r"^\s*(?:%|percent)?\s*(?:of (?:the|all|our)?\s*(?:data|training|samples|test|time|cases|users"
    r"|images|examples|parameters|tokens)|epochs?|layers?|hours?|days?|GPUs?|seeds?|folds?|samples"
    r"|examples|images|runs?|times?\b|×|x\b|classes|papers|percentage points?|points?\b|million"
    r"|billion|(?:absolute|relative)|(?:better|worse|higher|lower|faster|more|less|fewer)\b)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"(?:^|, |\bthat |\band |\bwhile |; )(?:[Tt]he |[Oo]ur )?"
    r"(?!(?:We|It|This|That|These|They|There|In|On|For|Table|Figure)\b)"
    r"(?P<name>[A-Z][\w+-]*(?:[ -][A-Z\d][\w+-]*){0,4})"
    r"(?: \[@[^\]]*\])?(?: also| only| already| again| now)? (?:achiev|obtain|reach|attain|g[ai]ve"
    r"|yield|ha[sd]|scor|perform|report|get|got|classif|produc|result)"
)


def prose_claims(paper: Paper, own: OwnNames) -> Iterator[Claim]:
    """Yield the claims in a paper's sentences."""
    for sentence in sentences(paper):
        metrics = metrics_in(sentence.text)
        if not metrics:
            continue
        for number in numbers_in(sentence.text):
            metric = _metric_of(number, metrics)
            if metric is not None and _is_result(number, sentence.text):
                yield _claim(paper, sentence, number, metric, own)


def _metric_of(number: Number, metrics: list[Metric]) -> Metric | None:
    """Return the metric nearest to a number; one before it counts as nearer than one after it."""

    def distance(metric: Metric) -> float:
        if metric.start < number.start:
            return number.start - metric.start - len(metric.name)
        return 1.2 * (metric.start - number.end)

    nearest = min(metrics, key=distance)
    return nearest if distance(nearest) <= _MOST_APART else None


def _is_result(number: Number, text: str) -> bool:
    before, after = text[: number.start], text[number.end :]
    if not number.decimals and not number.percent:
        return False
    if number.decimals > 8 or _CHANGE.search(before[-60:]) or _SETTING.search(before[-50:]):
        return False
    return not _UNIT.match(after[:40])


def _claim(
    paper: Paper, sentence: Sentence, number: Number, metric: Metric, own: OwnNames
) -> Claim:
    before = sentence.text[: number.start]
    subjects = [match["name"] for match in _SUBJECT.finditer(before)]
    ours = bool(re.search(r"\b(?:[Ww]e|[Oo]ur|proposed)\b", before)) and not subjects
    method = subjects[-1] if subjects else (own.first or "ours") if ours else ""
    datasets = datasets_in(sentence.text)
    nearest = min(datasets, key=lambda one: abs(one[1] - number.start), default=("", 0))[0]
    doubts = []
    if not method:
        doubts.append(Doubt.NO_METHOD)
    if not nearest:
        doubts.append(Doubt.NO_DATASET)
    if paper.format is PaperFormat.PDF:
        doubts.append(Doubt.FROM_PDF)
    start = (sentence.place.start or 0) + number.start
    return Claim(
        id=f"s{sentence.place.section}o{start}",
        dataset=nearest,
        method=method,
        metric=metric.name,
        value=number.value,
        printed=number.printed,
        decimals=number.decimals,
        percent=number.percent,
        spread=number.spread,
        higher_is_better=metric.higher_is_better,
        own=ours or own.has(method),
        source=ClaimSource.SENTENCE,
        place=sentence.place.model_copy(
            update={"start": start, "end": (sentence.place.start or 0) + number.end}
        ),
        quote=sentence.text[:500],
        doubts=tuple(doubts),
    )
