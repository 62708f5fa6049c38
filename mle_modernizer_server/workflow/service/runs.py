"""Runs of a notebook, and the fixes proposed after them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from mle_modernizer_server import pools
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.era import Era
from mle_modernizer_server.domain.errors import Conflict, ModernizerError, NotFound
from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.forecast import Needs, Preflight
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.model_calls import Estimate, PromptPreview
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import (
    CellEdit,
    FixerName,
    LearnedRule,
    LearnedRules,
    Proposal,
)
from mle_modernizer_server.domain.session import Decision, Session
from mle_modernizer_server.domain.settings import Mode, SessionSettings
from mle_modernizer_server.execution.documents import check_runnable
from mle_modernizer_server.execution.notebook_file import write_file
from mle_modernizer_server.fixing.fixer import NoFix
from mle_modernizer_server.fixing.integrity import Judgement, judge_edits, with_meanings
from mle_modernizer_server.fixing.rules.knowledge import all_rules, rules_folder, use_rules
from mle_modernizer_server.workflow.decisions import decide, type_score
from mle_modernizer_server.workflow.era import date, dating
from mle_modernizer_server.workflow.fix.absent_names import Ahead
from mle_modernizer_server.workflow.fix.before_run import (
    foreseen_environment,
    lacking_of,
    look_ahead,
    mend_ahead,
    propose_ahead,
)
from mle_modernizer_server.workflow.fix.manual_fix import ask_by_hand, preview_prompt
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.modes.auto import modernize
from mle_modernizer_server.workflow.modes.step import propose_next, step
from mle_modernizer_server.workflow.report.estimate import NEWEST, estimate
from mle_modernizer_server.workflow.report.history import all_facts, beside
from mle_modernizer_server.workflow.run.environment import settle_environment
from mle_modernizer_server.workflow.run.resources import fetch_resources
from mle_modernizer_server.workflow.run.resume import run_whole
from mle_modernizer_server.workflow.service.base import Service
from mle_modernizer_server.workflow.study.learn import lessons_of
from mle_modernizer_server.workflow.verdict.endings import ending_of_check
from mle_modernizer_server.workflow.verdict.proven import as_proven
from mle_modernizer_server.workflow.work import Work


class Runs(Service):
    """Runs of a notebook, and the fixes proposed after them."""

    def start_run(self, session_id: str, notebook: Notebook, *, fresh: bool = False) -> Session:
        """Run the current notebook; then propose a fix in step mode, or apply all in auto mode.

        Args:
            notebook: The user's current version.
            fresh: Begin with the first cell, even if a paused run could be resumed.

        Raises:
            BadNotebook: The notebook cannot run.
            BadSetting: A limit of money is not enforceable.
        """
        session = self.jobs.idle(session_id)
        check_runnable(notebook)

        async def run(work: Work) -> None:
            await date(work, notebook)
            await settle_environment(work, notebook)
            await fetch_resources(work)
            if session.settings.mode is Mode.STEP:
                await step(work, notebook, fresh=fresh)
                return
            await work.end_pause(coded("pause.from-start"))
            try:
                await modernize(work, notebook)
            finally:
                await work.end_pause(coded("pause.work-ended"))

        self.check_price(session.settings, session.settings.fixers)
        return self.jobs.start(session_id, run)

    def start_check(self, session_id: str, notebook: Notebook) -> Session:
        """Run, grade and diagnose only; propose nothing.

        Raises:
            BadNotebook: The notebook cannot run.
        """
        session = self.jobs.idle(session_id)
        check_runnable(notebook)

        async def run(work: Work) -> None:
            async with dating(work, notebook):  # nothing of the run needs to wait for its era
                await work.end_pause(coded("pause.from-start"))
                await settle_environment(work, notebook)
                await fetch_resources(work)
                latest = await run_whole(work, notebook)
            rested = ending_of_check(latest, session.settings.competition)
            work.write(as_proven(work.session, latest, rested))

        return self.jobs.start(session_id, run)

    def start_fix(
        self,
        session_id: str,
        *,
        fix_type: FixType | None = None,
        scope: FixScope | None = None,
        fixers: tuple[FixerName, ...] | None = None,
        notebook: Notebook | None = None,
    ) -> Session:
        """Request another proposal, with the user's choices.

        Raises:
            Conflict: Work is running, or nothing has run yet (and the fix type requires a run), or
                something has (and the fix type must precede it).
        """
        session = self.jobs.idle(session_id)
        if fix_type is FixType.BEFORE_RUN:
            return self._start_before_run(session, notebook)
        self.check_budget(session, fixers or session.settings.fixers)
        ask = ask_by_hand(
            self.work(session_id), fix_type=fix_type, scope=scope, fixers=fixers, notebook=notebook
        )
        return self.jobs.start(session_id, partial(propose_next, ask=ask), queued=False)

    def _start_before_run(self, session: Session, notebook: Notebook | None) -> Session:
        if session.iterations:
            raise Conflict(coded("conflict.has-run"))
        base = notebook or self.notebook(session.id, session.notebook_hash)
        check_runnable(base)
        return self.jobs.start(session.id, partial(propose_ahead, notebook=base), queued=False)

    async def fix_before_run(self, ahead: Ahead, era: Era) -> Proposal | NoFix:
        """Return one patch for all failures fixable before the first run; as `mend_ahead`."""
        return await mend_ahead(self.services, ahead, era)

    async def explain(self, ahead: Ahead, error: CellError) -> tuple[str, str] | None:
        """Return a known cause of an error, in a sentence, and a link; None if no rule knows it.

        Raises:
            BadInput: No environment has the name in the settings.
            SandboxUnavailable: The sandbox is not usable, or cannot list its packages.
        """
        choose = self.services.choose_sandbox
        sandbox = await pools.sandboxes.run(choose, ahead.settings.sandbox)
        environment, _ = await foreseen_environment(self.services, ahead, sandbox)
        return await pools.analysis.run(self.services.explain, error, environment, ahead.notebook)

    async def judge(self, notebook: Notebook, edits: Sequence[CellEdit]) -> Judgement:
        """Judge the integrity of a patch, edit by edit."""
        return await pools.code.run(lambda: judge_edits(notebook, with_meanings(notebook, edits)))

    async def preflight(self, ahead: Ahead) -> Preflight:
        """Predict the failures of a notebook and their reasons; run nothing. As `look_ahead`."""
        return await look_ahead(self.services, ahead)

    def needs(self, notebook: Notebook, settings: SessionSettings) -> tuple[Needs, Messages]:
        """Return a notebook's requirements, and messages about the missing ones. Blocks.

        Raises:
            SandboxUnavailable: The sandbox is not usable.
        """
        needs = self.services.analysis.needs(notebook)
        sandbox = self.services.choose_sandbox(settings.sandbox)
        return needs, lacking_of(needs, sandbox)

    def expect(self, competition: str | None) -> None:
        """Make ready for a run that will probably come: somebody looks at such a notebook."""
        with suppress(ModernizerError):  # the run itself will report the problem
            competitions = self.services.competitions
            public = None if competition is None else competitions.public_dir(competition)
            self.services.choose_sandbox(None).warm_up(competition, public)

    async def preview_prompt(
        self,
        session_id: str,
        *,
        fix_type: FixType | None = None,
        scope: FixScope | None = None,
        notebook: Notebook | None = None,
    ) -> PromptPreview:
        """Return the prompt for a fix of the latest run; send nothing.

        Raises:
            NotFound, Conflict: As `manual_fix.preview_prompt`.
        """
        return await preview_prompt(
            self.work(session_id), fix_type=fix_type, scope=scope, notebook=notebook
        )

    async def estimate(
        self, notebook: Notebook, settings: SessionSettings, history: Path | None = None
    ) -> Estimate:
        """Return the probable cost of an auto run.

        Args:
            notebook: The notebook to run.
            settings: Settings of the session.
            history: File of past sessions as a basis; None: this process's own.

        Raises:
            Conflict: No model would be used.
            ModernizerError: The file is not usable.
        """

        def work(store: Store) -> Estimate:
            return estimate(self.services, notebook, settings, all_facts(store, most=NEWEST))

        if history is None:
            return await beside(self.log.store, work)
        with closing(Store(history)) as store:
            return work(store)

    async def rules_to_keep(self, session_id: str) -> LearnedRules:
        """Return the rules learned from a session's fixes by a model, and those already stored."""
        rules, folder = await self.learned_rules(session_id), rules_folder()
        kept = {rule.id for rule in all_rules()}
        return LearnedRules(
            rules=rules,
            kept=tuple(rule.id for rule in rules if rule.id in kept),
            folder=folder is not None,
        )

    async def keep_rule(self, session_id: str, rule_id: str) -> LearnedRules:
        """Put a rule that a session's fix taught into the folder with rules of one's own.

        It is in use from now on.

        Raises:
            NotFound: There is no such session, or it teaches no such rule.
            Conflict: The server has no such folder.
            BadInput: The file cannot be written.
        """
        rules, folder = await self.learned_rules(session_id), rules_folder()
        rule = next((rule for rule in rules if rule.id == rule_id), None)
        if rule is None:
            raise NotFound(coded("not-found.learned-rule"))
        if folder is None:
            raise Conflict(coded("conflict.no-rules-folder"))
        place, content = folder / f"{rule.id}.yaml", rule.content.encode()

        def keep() -> None:
            write_file(place, content)
            use_rules(folder)
            self.services.analysis.forget()

        await pools.analysis.run(keep)
        return await self.rules_to_keep(session_id)

    async def learned_rules(self, session_id: str) -> tuple[LearnedRule, ...]:
        """Return the rules learned from a session's fixes by a model: those after which it ran."""
        session = self.log.session(session_id)
        lessons = tuple(lessons_of(session, partial(self.notebook, session_id)))
        found: dict[str, LearnedRule] = {}
        for lesson in lessons:
            for rule in await pools.analysis.run(self.services.analysis.learn, lesson):
                found.setdefault(rule.id, rule)
        return tuple(found.values())

    def decide(
        self,
        session_id: str,
        proposal_id: str,
        decisions: Mapping[str, Decision],
        source_hashes: Mapping[str, str],
    ) -> Session:
        """Record decisions on edits, all or nothing; as `decisions.decide`.

        Raises:
            ModernizerError: As there; NotFound if there is no such session, too.
        """
        return decide(self.work(session_id), proposal_id, decisions, source_hashes)

    async def type_score(self, session_id: str, score: float) -> Session:
        """Set an external score for the latest run, and diagnose it again.

        Raises:
            Conflict: Work is running, or as `decisions.type_score`.
        """
        self.jobs.idle(session_id)
        return await type_score(self.work(session_id), score)
