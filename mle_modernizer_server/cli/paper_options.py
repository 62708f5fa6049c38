"""Options of `jupyter modernize paper`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field

from mle_modernizer_server.cli.arguments import Groups, Options
from mle_modernizer_server.cli.flags import Argument
from mle_modernizer_server.cli.options import AsJson
from mle_modernizer_server.domain.model_calls import Budget
from mle_modernizer_server.domain.reproduction import (
    DEFAULT_TOLERANCE,
    MOST_REPEATED,
    MOST_ROUNDS,
)
from mle_modernizer_server.domain.settings import Flag, SessionSettings, checked_settings, flag_of

_OF_CHECK = ("runs", "tolerance", "time_limit", "sandbox", "report")
_OF_WRITING = ("step", "rounds", "max_seconds")
_OF_A_MODEL = ("yes", "max_tokens", "max_usd")


class PaperOptions(Options):
    """Options of the command.

    Attributes:
        paper: The file; None with `check`.
        claims: Every claim as CSV, and nothing else.
        own: Only what the paper claims of its own method.
        text: The text with its headings, and nothing else.
        fetch_cited: Fetch cited works from arXiv.
        output: File for the notebook that reproduces claims; None writes nothing.
        claim: Numbers or ids of the claims to reproduce; empty: those of the best table.
        complete: Have a model complete the claims.
        show_prompt: Print the prompt for that, and send nothing.
        yes: Do not ask whether to query a model, and whether to write the file.
        write: Have a model fill in the notebook.
        step: Ask about each change before it runs; else once, at the end.
        rounds: Questions of a stage at most.
        check_notebook: The notebook to check; None: the paper is read.
        report: File for the report of the check as a page; None writes none.
    """

    DESCRIPTION = (
        "Read a paper (LaTeX, an archive from arXiv, PDF, Markdown, HTML) and list what it claims, "
        "what it states about its method and what it does not state. Nothing in it is compiled or "
        "executed. A model is asked only with --complete and --write."
    )
    EPILOG = """\
exit codes:
  0    the paper was read; with --check: every claim is within rounding or tolerance
  1    with --check: a claim is not; with --write: no clean run, or not accepted
  2    bad usage, or a paper that cannot be read (scanned, locked, damaged, too large, …)
  3    failed: an internal error
  130  cancelled with Ctrl+C
"""
    GROUPS: ClassVar[Groups] = {
        "make a notebook that reproduces claims": ("output", "claim", "force"),
        "let a model complete the claims": ("complete", "show_prompt"),
        "limits of a model (--complete, --write)": _OF_A_MODEL,
        "let a model write the notebook": ("write", *_OF_WRITING),
        "check a notebook against its paper": ("check_notebook", *_OF_CHECK),
    }
    EXCLUSIVE = ("claims", "text", "as_json")

    paper: Annotated[Path | None, Argument("the paper's file", "FILE")] = None
    claims: Annotated[bool, Flag("print all claims as CSV")] = False
    text: Annotated[bool, Flag("print the text, section by section")] = False
    as_json: AsJson = False
    own: Annotated[bool, Flag("only claims about the paper's own method")] = False
    fetch_cited: Annotated[
        bool,
        Flag("download the works that the paper builds on from arXiv, unless they are beside it"),
    ] = False
    output: Annotated[
        Path | None, Flag("write the notebook to this file", "NOTEBOOK", also="out")
    ] = None
    claim: Annotated[
        tuple[str, ...],
        Flag(
            "numbers of the claims in the list (default: those of the paper's main result table)",
            "N",
            several=True,
        ),
    ] = ()
    force: Annotated[bool, Flag("overwrite NOTEBOOK if it exists")] = False
    complete: Annotated[
        bool,
        Flag(
            "have the model name claims that the rules miss, each with a quote. Quotes that do not "
            "occur literally in the paper are refused; the other claims are kept in "
            "FILE.claims.json"
        ),
    ] = False
    show_prompt: Annotated[bool, Flag("print what --complete would send, without sending it")] = (
        False
    )
    yes: Annotated[bool, Flag("do not ask for confirmation")] = False
    write: Annotated[
        bool,
        Flag(
            "have the model write the cells of --output NOTEBOOK, stage by stage. It never sees "
            "the claimed numbers, and the notebook is written only after a clean run"
        ),
    ] = False
    step: Annotated[bool, Flag("review each change before it runs")] = False
    rounds: Annotated[
        int, Flag("maximum number of requests per stage (default: {default})", "K")
    ] = Field(default=MOST_ROUNDS, ge=1, le=MOST_ROUNDS)
    check_notebook: Annotated[
        Path | None,
        Flag(
            "run this notebook from a clean start and compare its results with the claims",
            "NOTEBOOK",
            flag="check",
        ),
    ] = None
    runs: Annotated[int, Flag("number of runs (default: {default})", "K")] = Field(
        default=1, ge=1, le=MOST_REPEATED
    )
    tolerance: Annotated[
        float, Flag("relative difference that counts as equal (default: {default})", "T")
    ] = Field(default=DEFAULT_TOLERANCE, gt=0, lt=1)
    report: Annotated[Path | None, Flag("write the report as an HTML page", "FILE")] = None

    def check(self, parser: argparse.ArgumentParser) -> None:
        """Check options together."""
        if self.show_prompt and not self.complete:
            parser.error("--show-prompt needs --complete")
        for names, is_met, needed in (
            (_OF_WRITING, self.write, "--write"),
            (_OF_A_MODEL, self.write or self.complete, "--write or --complete"),
            (_OF_CHECK, self.check_notebook is not None, "--check NOTEBOOK"),
        ):
            for name in names:
                if not is_met and (name in self.settings or name in self.model_fields_set):
                    parser.error(f"{flag_of(name)} needs {needed}")
        if self.write and self.output is None:
            parser.error("--write needs --out NOTEBOOK")
        if self.check_notebook is not None:
            others = (self.paper, self.output, self.claim, self.claims, self.text, self.own)
            if any(others):
                parser.error("--check NOTEBOOK takes no paper and none of its options")
            if self.complete:
                parser.error("--complete goes with a paper, not with --check")
        elif self.paper is None:
            parser.error("name the paper's FILE, or a NOTEBOOK with --check")
        elif self.output is None and (self.claim or self.force):
            parser.error("--claim and --force need --out NOTEBOOK")

    @property
    def is_for_programs(self) -> bool:
        """Return whether the output is for programs."""
        return self.as_json or self.claims or self.text

    @property
    def session_settings(self) -> SessionSettings:
        """Return the settings that were passed, and the defaults of the others."""
        return checked_settings(self.settings)

    @property
    def budget(self) -> Budget:
        """Return the budget of a model that writes."""
        settings = self.session_settings
        return Budget(
            tokens=settings.max_tokens, usd=settings.max_usd, seconds=settings.max_seconds
        )
