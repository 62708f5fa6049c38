"""Input and progress messages of the process that grades."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.grade import Candidate, FloorKind
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.grading.refusal import Stage


class Job(Value):
    """Input of the child process.

    Attributes:
        competition: Whose metric and rules apply.
        answers: File of the answers.
        sample: File of the sample submission, or None if unusable.
        working: Directory of the submissions.
        paths: The submissions below it.
        most_bytes: Bound on a submission's size.
        most_answer_bytes: Bound on the answers' size.
        memory: Bytes of address space on systems that can limit it; 0 for no limit.
        floor: Compute the floor, too.
        header: The sample submission's columns, if the floor is known.
        olds: Files that were there before the run and are laid out like a submission, by name. The
            code may have read them.
        earlier: Such files that the code only writes, by name: results of an earlier run.
    """

    competition: Competition
    answers: Path
    sample: Path | None
    working: Path
    paths: tuple[str, ...]
    most_bytes: int
    most_answer_bytes: int
    memory: int
    floor: bool
    header: tuple[str, ...] = ()
    olds: dict[str, Path] = Field(default_factory=dict)
    earlier: dict[str, Path] = Field(default_factory=dict)


class Look(Value):
    """A candidate, how near to a submission it came, and whether its columns are the sample's."""

    candidate: Candidate
    stage: Stage
    like_sample: bool = False
    copy_of: str = ""
    """The file that the code may have read and that has the same predictions."""
    same_as: str = ""
    """The result of an earlier run that has the same predictions."""

    @classmethod
    def refused(cls, path: str, reason: Messages, stage: Stage = Stage.FILE) -> Look:
        """Return the look at a file that is no valid submission."""
        return cls(candidate=Candidate(path=path, valid=False, reason=reason), stage=stage)


class Said(Value):
    """One line of the child's: exactly one of the fields is set."""

    unusable: Messages = ()
    """Why the answers cannot be used."""
    ready: bool = False
    """The answers are read."""
    floor: float | None = None
    floor_kind: FloorKind | None = None
    header: tuple[str, ...] = ()
    """With the floor: the sample submission's columns."""
    baseline: float | None = None
    """With the floor: the sample submission's score."""
    begun: str | None = None
    """The submission that is looked at now."""
    look: Look | None = None
    done: bool = False
