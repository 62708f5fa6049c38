"""The REST handlers: each turns one request into one call of the workflow."""

from __future__ import annotations

from pathlib import PurePosixPath

from jupyter_server.utils import url_path_join

from mle_modernizer_server import pools
from mle_modernizer_server._version import __version__
from mle_modernizer_server.domain.competition import LookAtData, MakeCompetition
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.model_calls import ExchangeList
from mle_modernizer_server.domain.notebook import ReplacedByFinish
from mle_modernizer_server.web import messages
from mle_modernizer_server.web.agents import AgentsHandler
from mle_modernizer_server.web.batches import routes as batches
from mle_modernizer_server.web.calls import Handler, changes, shows
from mle_modernizer_server.web.contents import (
    beside,
    may,
    notebook_folder,
    saved_document,
    server_root,
)
from mle_modernizer_server.web.endpoint import (
    MOST_WITH_NOTEBOOK,
    NAMESPACE,
    ModernizerHandler,
    endpoint,
)
from mle_modernizer_server.web.info import competition_info, server_info, summary
from mle_modernizer_server.web.late_routes import Route
from mle_modernizer_server.web.papers import routes as papers
from mle_modernizer_server.workflow.service import KERNEL_METADATA, Ahead


class EstimateHandler(ModernizerHandler):
    """Estimates of the cost of an auto run."""

    most_bytes = MOST_WITH_NOTEBOOK

    @endpoint("read")
    async def post(self) -> None:
        """Answer with `Estimate`; `409` if no model would be queried."""
        ask = await self.body(messages.EstimateRequest)
        self.reply(await self.modernizer.runs.estimate(ask.notebook, ask.settings))


class StatisticsHandler(ModernizerHandler):
    """The statistics of many sessions."""

    @endpoint("read")
    async def get(self) -> None:
        """Answer with `Statistics` of the sessions whose path begins with `path`."""
        self.reply(await self.modernizer.sessions.statistics(self.get_query_argument("path", "")))


class InfoHandler(ModernizerHandler):
    """Capabilities of this server."""

    @endpoint("read")
    async def get(self) -> None:
        """Answer with `ServerInfo`."""
        defaults = self.settings["mle_modernizer_defaults"]
        # In a thread: whether a sandbox works may take a while to find out.
        self.reply(await pools.process.run(server_info, self.modernizer, defaults))


class DetectHandler(ModernizerHandler):
    """Detection of a notebook's competition and the scores it mentions."""

    most_bytes = MOST_WITH_NOTEBOOK

    @endpoint("read")
    async def post(self) -> None:
        """Answer with `DetectAnswer`."""
        ask = await self.body(messages.DetectRequest)
        path = PurePosixPath(ask.path)
        metadata = await beside(self, ask.path, KERNEL_METADATA) if ask.path else None
        if metadata is not None and path.name.encode() not in metadata:
            metadata = None  # it is about another notebook
        found = await pools.code.run(
            self.modernizer.environments.detect,
            ask.notebook,
            title=path.stem,
            kernel_metadata=metadata,
            folder=await notebook_folder(self, ask.path) if ask.path else None,
        )
        await pools.sandboxes.run(self.modernizer.runs.expect, found.competition)
        self.reply(found)


class LabelledDataHandler(ModernizerHandler):
    """Looks at data a competition could be made of."""

    @endpoint("read")
    async def post(self) -> None:
        """Answer with `CompetitionGuess`; nothing is written."""
        ask = await self.body(LookAtData)
        await may(self, "read")
        self.reply(
            await pools.files.run(self.modernizer.environments.look_at_data, server_root(self), ask)
        )


class DraftsHandler(ModernizerHandler):
    """Drafts notebooks."""

    @endpoint("read")
    async def post(self) -> None:
        """Answer with `Draft`, a first notebook for a competition; nothing is written or run."""
        ask = await self.body(messages.DraftRequest)
        title, notebook = await pools.code.run(self.modernizer.environments.draft, ask.competition)
        self.reply(messages.Draft(title=title, notebook=notebook))


class CompetitionsHandler(ModernizerHandler):
    """Makes competitions."""

    @endpoint("write")
    async def post(self) -> None:
        """Make one of labelled data: `201` with `CompetitionInfo`."""
        wish = await self.body(MakeCompetition)
        await may(self, "read")
        made = await pools.files.run(
            self.modernizer.environments.make_competition, server_root(self), wish
        )
        self.set_status(201)
        self.reply(competition_info(made))


_PATIENCE = 2.0
"""Seconds that a forecast waits for the installed packages; the client asks again."""


class PreflightHandler(ModernizerHandler):
    """Predictions of errors before anything runs."""

    most_bytes = MOST_WITH_NOTEBOOK

    @endpoint("read")
    async def post(self) -> None:
        """Answer with `Preflight`."""
        ask = await self.body(messages.PreflightRequest)
        folder = await notebook_folder(self, ask.path) if ask.path else None
        ahead = Ahead(ask.notebook, ask.settings, ask.traces, folder, _PATIENCE)
        self.reply(await self.modernizer.runs.preflight(ahead))


class EnvironmentsHandler(ModernizerHandler):
    """Lists the environments a notebook can run with."""

    @endpoint("execute", droppable=True)
    async def post(self) -> None:
        """Answer with `EnvironmentReport`; query the interpreters of this machine."""
        ask = await self.body(messages.EnvironmentsRequest)
        folder = await notebook_folder(self, ask.path) if ask.path else None
        self.reply(await self.modernizer.environments.report(ask.notebook, folder, ask.traces))


class SessionsHandler(ModernizerHandler):
    """The sessions."""

    most_bytes = MOST_WITH_NOTEBOOK

    @endpoint("read")
    async def get(self) -> None:
        """Answer with `SessionList`, newest first; with `before` those that are older."""
        path = self.get_query_argument("path", None)
        before = self.get_query_argument("before", None)
        place = None if before is None else _number(before, "before")
        found = await self.modernizer.sessions.page(path, summary, place)
        self.reply(messages.SessionList(sessions=found.lines, total=found.total, older=found.older))

    @endpoint("execute", droppable=True)
    async def post(self) -> None:
        """Make a session: `201`; nothing is made if the client leaves before."""
        wish = await self.body(messages.CreateSession)
        folder = await notebook_folder(self, wish.path)
        document = await saved_document(self, wish.path)
        settings = await self.modernizer.sessions.with_competition(
            wish.settings, wish.notebook, folder
        )
        saved = (
            None
            if document is None
            else await pools.files.run(
                self.modernizer.sessions.read_saved_outputs, document, wish.notebook
            )
        )
        session = self.modernizer.sessions.create(
            wish.path, wish.notebook, settings, wish.traces, folder, saved, look=False
        )
        self.reply_session(session, 201)


class SessionHandler(ModernizerHandler):
    """One session."""

    @endpoint("read")
    async def get(self, session_id: str) -> None:
        """Answer with the session; with `since` a `SessionUpdate`, or `304` if nothing came after
        it.
        """
        since = self.get_query_argument("since", None)
        if since is None:
            self.reply_session(self.modernizer.sessions.get(session_id))
            return
        known = _number(since, "since")
        changes = self.modernizer.sessions.changes(session_id, known)
        if known >= changes.session.seq:
            self.set_status(304)
            self.finish()
        else:
            self.reply(messages.session_update(changes, known))

    @endpoint("write")
    async def patch(self, session_id: str) -> None:
        """Change the settings."""
        wish = await self.body(messages.ChangeSettings)
        self.reply_session(self.modernizer.sessions.change_settings(session_id, wish.settings))

    @endpoint("execute")
    async def delete(self, session_id: str) -> None:
        """Forget the session: `204`."""
        await self.modernizer.sessions.delete(session_id)
        self.set_status(204)
        self.finish()


class EventsHandler(ModernizerHandler):
    """The log of a session."""

    @endpoint("read")
    async def get(self, session_id: str) -> None:
        """Answer with the `Log` after `since`."""
        since = _number(self.get_query_argument("since", "0"), "since")
        entries = await self.modernizer.sessions.entries(session_id, since)
        self.reply(
            messages.Log(
                events=tuple(
                    messages.LogEntry(
                        seq=entry.seq,
                        at=entry.at,
                        kind=entry.event.kind,
                        data=entry.event.model_dump(mode="json", exclude={"kind"}),
                    )
                    for entry in entries
                )
            )
        )


class FinishHandler(ModernizerHandler):
    """Results that finish a notebook."""

    @endpoint("read")
    async def get(self, session_id: str) -> None:
        """Answer with the `FinishedRun` of the best run, or of the one that `run` names."""
        run = self.get_query_argument("run", None)
        number = None if run is None else _number(run, "run")
        self.reply(self.modernizer.sessions.finish(session_id, number, version=__version__))


class ReplacedHandler(ModernizerHandler):
    """Notebook content that finishing replaced."""

    most_bytes = MOST_WITH_NOTEBOOK

    @endpoint("read")
    async def get(self, session_id: str) -> None:
        """Answer with it; `404` if it is not stored."""
        self.reply(self.modernizer.sessions.replaced(session_id))

    @endpoint("write")
    async def put(self, session_id: str) -> None:
        """Store it in place of the earlier one of this notebook: `204`."""
        replaced = await self.body(ReplacedByFinish)
        self.modernizer.sessions.keep_replaced(session_id, replaced)
        self.set_status(204)
        self.finish()


class ReportHandler(ModernizerHandler):
    """The report."""

    @endpoint("read")
    async def get(self, session_id: str) -> None:
        """Answer with the report as a file: JSON, Markdown or a page."""
        session = self.modernizer.sessions.get(session_id)
        wanted = self.get_query_argument("format", "json")
        forms = {
            "json": ("application/json", "json"),
            "html": ("text/html; charset=utf-8", "html"),
            "markdown": ("text/markdown; charset=utf-8", "md"),
        }
        if wanted not in forms:
            raise BadInput(coded("request.format", wanted=repr(wanted)))
        content_type, suffix = forms[wanted]
        self.set_header(
            "Content-Disposition", f'attachment; filename="modernization-{session.id[:8]}.{suffix}"'
        )
        text = self.modernizer.sessions.report(session_id, wanted)
        self.finish(text, set_content_type=content_type)


class ImproveHandler(ModernizerHandler):
    """Starts searches for a better version."""

    @endpoint("execute")
    async def post(self, session_id: str) -> None:
        """Compare changed versions of the best iteration's notebook with it: `202`."""
        ask = await self.body(messages.Improve)
        session = self.modernizer.studies.start_improvement(session_id, None, ask)
        self.reply_session(session, 202)


class BackportHandler(ModernizerHandler):
    """Puts kernels of a notebook's own time into Jupyter's menu, and takes them out."""

    @endpoint("execute")
    async def post(self, session_id: str) -> None:
        """Run the notebook with its original libraries, and put their kernel there: `202`."""
        self.reply_session(self.modernizer.environments.start_backport(session_id), 202)

    @endpoint("execute")
    async def delete(self, session_id: str) -> None:
        """Take the kernel out of the menu."""
        self.reply_session(self.modernizer.environments.remove_backport(session_id))


class BackportLockHandler(ModernizerHandler):
    """The lock files of kernels of a notebook's own time."""

    @endpoint("read")
    async def get(self, session_id: str) -> None:
        """Answer with the lock as a file (`pylock.toml`, PEP 751)."""
        text = self.modernizer.environments.backport_lock(session_id)
        self.set_header("Content-Disposition", 'attachment; filename="pylock.toml"')
        self.finish(text, set_content_type="application/toml")


class LearnedRulesHandler(ModernizerHandler):
    """Rules made from a model's fixes that were confirmed."""

    @endpoint("read")
    async def get(self, session_id: str) -> None:
        """Answer with the rules that the session's fixes teach."""
        self.reply(await self.modernizer.runs.rules_to_keep(session_id))

    @endpoint("write")
    async def post(self, session_id: str) -> None:
        """Put one of them into the folder with rules of one's own."""
        ask = await self.body(messages.KeepRule)
        self.reply(await self.modernizer.runs.keep_rule(session_id, ask.id))


class PromptHandler(ModernizerHandler):
    """Shows a prompt before anything is sent."""

    most_bytes = MOST_WITH_NOTEBOOK

    @endpoint("read")
    async def post(self, session_id: str) -> None:
        """Answer with `PromptPreview`; nothing is sent and nothing is stored."""
        ask = await self.body(messages.AskFix)
        self.reply(
            await self.modernizer.runs.preview_prompt(
                session_id, fix_type=ask.fix_type, scope=ask.scope, notebook=ask.notebook
            )
        )


class ExchangesHandler(ModernizerHandler):
    """Exchanges with models in a session."""

    @endpoint("read")
    async def get(self, session_id: str) -> None:
        """Answer with `ExchangeList`, oldest first."""
        self.reply(ExchangeList(exchanges=self.modernizer.sessions.exchanges(session_id)))


class BlocksHandler(ModernizerHandler):
    """The parts of notebooks."""

    @endpoint("read")
    async def get(self, session_id: str) -> None:
        """Answer with the role of each part of the best iteration's notebook; nothing runs."""
        self.reply(messages.Blocks(blocks=await self.modernizer.studies.blocks(session_id)))


def _number(text: str, name: str) -> int:
    try:
        found = int(text)
    except ValueError:
        found = _LARGEST + 1
    if abs(found) > _LARGEST:
        raise BadInput(coded("request.no-number", name=name, text=repr(text[:100])))
    return found


_LARGEST = 2**63 - 1
"""The largest number that SQLite takes."""


def handlers(base_url: str) -> list[Route]:
    """Return all routes, below the server's base URL."""
    session = r"sessions/([0-9a-f]{32})"
    routes: list[tuple[str, Handler]] = [
        (r"agents", AgentsHandler),
        (r"info", InfoHandler),
        (r"detect", DetectHandler),
        (r"preflight", PreflightHandler),
        (r"environments", EnvironmentsHandler),
        (r"competitions", CompetitionsHandler),
        (r"competitions/look", LabelledDataHandler),
        (r"drafts", DraftsHandler),
        (r"estimate", EstimateHandler),
        (r"statistics", StatisticsHandler),
        (r"sessions", SessionsHandler),
        (session, SessionHandler),
        *((session + route, handler) for route, handler in OF_A_SESSION.items()),
        *papers(session),
        *batches(),
    ]
    return [
        (url_path_join(base_url, NAMESPACE, "api", route), handler) for route, handler in routes
    ]


OF_A_SESSION: dict[str, Handler] = {
    "/events": EventsHandler,
    "/statistics": shows(lambda to: to.sessions.session_statistics),
    r"/notebooks/([0-9a-f]{64})": shows(lambda to: to.sessions.notebook),
    "/finish": FinishHandler,
    "/finish/replaced": ReplacedHandler,
    "/report": ReportHandler,
    # Runs, fixes, decisions
    "/runs": changes(lambda to: to.runs.start_run, messages.StartRun),
    "/scores": changes(lambda to: to.runs.type_score, messages.TypeScore, starts_work=False),
    "/fixes": changes(lambda to: to.runs.start_fix, messages.AskFix),
    r"/reviews/([\w.-]{1,128})/decisions": changes(
        lambda to: to.runs.decide, messages.Decide, starts_work=False
    ),
    "/cancel": changes(lambda to: to.sessions.cancel),
    "/rules": LearnedRulesHandler,
    # Studies: repeated runs that are no iterations
    "/probe": changes(lambda to: to.studies.start_comparison, messages.StartProbe),
    "/verify": changes(lambda to: to.studies.start_verification, messages.Verify),
    "/noise": changes(lambda to: to.studies.start_noise, messages.MeasureNoise),
    "/cause": changes(lambda to: to.studies.start_cause),
    "/proof": changes(lambda to: to.studies.start_proof),
    "/target": changes(lambda to: to.studies.start_target),
    "/contrast": changes(lambda to: to.studies.start_contrast, messages.CompareToday),
    "/backport": BackportHandler,
    "/backport/lock": BackportLockHandler,
    "/improve": ImproveHandler,
    "/improve/proposal": changes(
        lambda to: to.studies.propose_version, messages.ProposeVersion, starts_work=False
    ),
    "/blocks": BlocksHandler,
    # Prompts that a model would get, and those sent, with their replies
    "/prompt": PromptHandler,
    "/exchanges": ExchangesHandler,
    r"/proposals/([\w.-]{1,128})/exchange": shows(lambda to: to.sessions.exchange),
}
"""The handlers of a session, by the end of their paths."""
