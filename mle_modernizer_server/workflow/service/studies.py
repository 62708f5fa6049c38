"""Studies: repeated runs that decide no fix, and comparisons of versions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from mle_modernizer_server import pools
from mle_modernizer_server.domain.era import Traces
from mle_modernizer_server.domain.errors import BadInput, BadSetting, Conflict
from mle_modernizer_server.domain.forecast import Probe
from mle_modernizer_server.domain.improvement import Block, FoldSettings, RoleChoice
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Phase, Session
from mle_modernizer_server.domain.verification import MOST_RUNS, VerificationKind
from mle_modernizer_server.execution.documents import check_runnable
from mle_modernizer_server.improving.candidates.version import Version
from mle_modernizer_server.workflow.era import date
from mle_modernizer_server.workflow.fix.manual_fix import propose_version
from mle_modernizer_server.workflow.service.base import Service
from mle_modernizer_server.workflow.study.cause import is_comparable, seek_cause
from mle_modernizer_server.workflow.study.differential_run import ProbeSettings, compare, probe
from mle_modernizer_server.workflow.study.own_time import compare_today, find_target
from mle_modernizer_server.workflow.study.prove import (
    UNFINISHED,
    prove,
    to_prove,
    verdict_after_proof,
)
from mle_modernizer_server.workflow.study.repeat import studied
from mle_modernizer_server.workflow.study.seed_variance import measure_noise, verdict_after_noise
from mle_modernizer_server.workflow.study.verification import begin, verdict_after_verifying, verify
from mle_modernizer_server.workflow.verdict.own_time import message_on, message_on_contrast
from mle_modernizer_server.workflow.verdict.proven import outcome_of, proven_summary
from mle_modernizer_server.workflow.work import Work


def blocks_of(notebook: Notebook, roles: Sequence[RoleChoice] = ()) -> tuple[Block, ...]:
    """Return the parts of a notebook and their roles, from its code and the user; run nothing."""
    from mle_modernizer_server.code.pipeline.blocks import blocks, corrected
    from mle_modernizer_server.code.pipeline.pipeline import Pipeline

    return tuple(corrected(blocks(Pipeline(notebook)), roles))


class Studies(Service):
    """Studies: repeated runs that decide no fix, and comparisons of versions."""

    def start_verification(
        self,
        session_id: str,
        kind: VerificationKind = VerificationKind.STRICT,
        runs: int = MOST_RUNS,
        notebook: Notebook | None = None,
    ) -> Session:
        """Run a notebook repeatedly until the answer is certain, each time in a fresh kernel.

        Args:
            kind: Quick is one run.
            runs: Maximum number of runs of a strict one.
            notebook: The notebook to run; None: the best iteration's, or the session's own before
                any run.

        Raises:
            Conflict: Work is running, or a strict verification has fewer than two runs.
            BadNotebook: The notebook cannot run.
        """
        session = self.jobs.idle(session_id)
        asked = 1 if kind is VerificationKind.QUICK else runs
        if kind is VerificationKind.STRICT and asked < 2:
            raise Conflict(coded("conflict.two-runs"))
        chosen = notebook or self._baseline(session)
        check_runnable(chosen)
        begun = begin(session, kind, asked, chosen)

        async def study(work: Work) -> Messages:
            return (await verify(work, begun, chosen)).message

        return self.start_study(session, study, verdict=verdict_after_verifying)

    def start_noise(self, session_id: str, runs: int | None = None) -> Session:
        """Measure the random variation of the score of the best iteration's notebook.

        Args:
            runs: Number of further runs; None: as in the settings.

        Raises:
            Conflict: Work is running, or there is no score to compare with a target.
        """
        session = self.jobs.idle(session_id)
        iteration = studied(session)
        asked = runs or session.settings.noise_runs
        if not is_comparable(iteration):
            raise Conflict(coded("conflict.nothing-to-measure"))

        async def study(work: Work) -> Messages:
            return (await measure_noise(work, iteration, asked)).message

        return self.start_study(session, study, verdict=verdict_after_noise)

    def start_proof(self, session_id: str) -> Session:
        """Show by experiment whether a result comes from a trained model.

        It is the best iteration's, or the latest one's if that one waits for its proof.

        Raises:
            Conflict: Work is running, or nothing has run to its end yet.
        """
        session = self.jobs.idle(session_id)
        iteration = to_prove(session)

        async def study(work: Work) -> Messages:
            notebook = work.notebook(iteration.notebook_hash)
            proofs = await prove(work, notebook, iteration)
            standing = proven_summary(session, iteration, proofs)
            return standing + outcome_of(proofs)

        cancelled = coded("run.cancelled") + UNFINISHED
        return self.start_study(session, study, cancelled=cancelled, verdict=verdict_after_proof)

    def start_improvement(
        self,
        session_id: str,
        candidates: Sequence[Version] | None,
        settings: FoldSettings,
    ) -> Session:
        """Compare versions of the session's notebook with it on validation folds.

        Args:
            candidates: Versions to compare with the best iteration's notebook, or with the
                session's own before any run; None has the candidates written by codemods.
            settings: Settings of the folds.

        Raises:
            BadInput: There is nothing to compare, no competition, or one of them cannot run.
        """
        session = self.jobs.idle(session_id)
        if candidates is not None and not candidates:
            raise BadInput(coded("compare.no-version"))
        if session.settings.competition is None:
            raise BadInput(coded("folds.no-competition"))
        baseline = self._baseline(session)
        for version in candidates or ():
            check_runnable(version.notebook)

        async def study(work: Work) -> Messages:
            from mle_modernizer_server.workflow.study.improve import improve

            found = await improve(work, Version("Baseline", baseline), candidates, settings)
            best = found.best()
            if not found.candidates and not found.ablations:
                return coded("folds.no-candidate")
            if found.is_weak:
                return coded("folds.weak")
            if best is None:
                return coded("folds.none-better")
            return coded("folds.better", version=best.name)

        return self.start_study(session, study)

    def _baseline(self, session: Session) -> Notebook:
        """Return the best iteration's notebook, or the session's own before any run."""
        digest = studied(session).notebook_hash if session.iterations else session.notebook_hash
        return self.notebook(session.id, digest)

    async def blocks(self, session_id: str) -> tuple[Block, ...]:
        """Return the parts of the notebook to improve, and the role of each; run nothing."""
        baseline = self._baseline(self.log.get(session_id))
        return await pools.code.run(blocks_of, baseline)

    def propose_version(self, session_id: str, notebook_hash: str) -> Session:
        """Propose a version that was better on validation folds for review; run nothing.

        Raises:
            NotFound: No such session, or as `manual_fix.propose_version`.
            Conflict: Work is running, or another proposal waits for review.
        """
        return propose_version(self.work(self.jobs.idle(session_id).id), notebook_hash)

    def start_target(self, session_id: str) -> Session:
        """Find a target: run the session's notebook, unchanged, with its original libraries."""
        session = self.jobs.idle(session_id)
        notebook = self.notebook(session_id, session.notebook_hash)
        has_target = session.settings.target_score is not None

        async def study(work: Work) -> Messages:
            await date(work, notebook)
            found = await find_target(work, notebook)
            return message_on(found, taken=found.score is not None and not has_target)

        return self.start_study(
            session, study, cancelled=coded("run.cancelled"), without_run=Phase.READY
        )

    def start_contrast(self, session_id: str, notebook: Notebook | None) -> Session:
        """Compare today's outputs with those of the original library versions.

        Args:
            session_id: The session, whose own notebook runs with its original libraries.
            notebook: Its current version; its cells retain the ids of their originals. None: that
                of the best iteration.

        Raises:
            Conflict: Work is running, or there is no notebook argument and no completed run.
        """
        session = self.jobs.idle(session_id)
        today = notebook or self.notebook(session_id, studied(session).notebook_hash)

        async def study(work: Work) -> Messages:
            await date(work, work.notebook(session.notebook_hash))
            await compare_today(work, today)
            return message_on_contrast(work.session)

        return self.start_study(
            session, study, cancelled=coded("contrast.cancelled"), without_run=Phase.READY
        )

    def start_cause(self, session_id: str) -> Session:
        """Look for the cause of the best iteration's distance from the target, on request.

        Raises:
            Conflict: Work is running, or there is no score to compare with a target.
        """
        session = self.jobs.idle(session_id)
        iteration = studied(session)
        if not is_comparable(iteration):
            raise Conflict(coded("conflict.nothing-to-look-for"))

        async def study(work: Work) -> Messages:
            return (await seek_cause(work, iteration)).message

        return self.start_study(session, study)

    def start_comparison(
        self,
        session_id: str,
        notebook: Notebook,
        *,
        traces: Traces,
        old_python: str,
        rule: str | None,
    ) -> Session:
        """Compare a notebook's silent changes with old libraries; retain the session's state.

        Args:
            notebook: Its current version in the document.
            traces: Evidence of its era in its file, beyond the sources.
            old_python: Name of the old libraries in the server's configuration.
            rule: Id of the one change to try; None tries all.

        Raises:
            BadNotebook: It cannot run.
            BadSetting: No old libraries have that name.
        """
        session = self.jobs.idle(session_id)
        check_runnable(notebook)
        pythons = self.services.old_pythons
        if old_python not in pythons:
            known = ", ".join(pythons) or "none"
            raise BadSetting(
                coded("own-time.unknown-libraries", old_python=repr(old_python), known=known)
            )
        settings = ProbeSettings(
            old_python=pythons[old_python],
            sandbox=session.settings.sandbox,
            competition=session.settings.competition,
            rule=rule,
            era=session.settings.era,
        )

        async def study(work: Work) -> Messages:
            return await compare(work, notebook, traces, settings) or session.message

        cancelled = coded("comparison.cancelled") + session.message
        return self.start_study(session, study, cancelled=cancelled, without_run=session.phase)

    async def probe(
        self,
        notebook: Notebook,
        settings: ProbeSettings,
        *,
        traces: Traces,
        say: Callable[[Messages], None],
        cancel: asyncio.Event,
    ) -> Probe:
        """Try a notebook's silent changes; as `study.differential_run.probe`."""
        return await probe(self.services, notebook, settings, traces=traces, say=say, cancel=cancel)
