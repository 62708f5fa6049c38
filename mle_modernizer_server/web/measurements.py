"""The REST handlers for measurements: repeated runs that are no iterations."""

from __future__ import annotations

from typing import Any

from mle_modernizer_server.web import messages
from mle_modernizer_server.web.endpoint import MOST_WITH_NOTEBOOK, ModernizerHandler, endpoint
from mle_modernizer_server.workflow.service import FoldSettings


class VerifyHandler(ModernizerHandler):
    """Starts verifications."""

    most_bytes = MOST_WITH_NOTEBOOK

    @endpoint("execute")
    async def post(self, session_id: str) -> None:
        """Run the notebook again, each time in a fresh kernel: `202`."""
        wish = await self.body(messages.Verify)
        session = self.modernizer.studies.start_verification(
            session_id, wish.kind, wish.runs, wish.notebook
        )
        self.reply_session(session, 202)


class NoiseHandler(ModernizerHandler):
    """Starts measurements of the noise."""

    @endpoint("execute")
    async def post(self, session_id: str) -> None:
        """Run the best iteration's notebook again, with other seeds: `202`."""
        wish = await self.body(messages.MeasureNoise)
        self.reply_session(self.modernizer.studies.start_noise(session_id, wish.runs), 202)


class ProofHandler(ModernizerHandler):
    """Starts proofs."""

    @endpoint("execute")
    async def post(self, session_id: str) -> None:
        """Run the best iteration's notebook on shuffled labels and on shuffled rows: `202`."""
        self.reply_session(self.modernizer.studies.start_proof(session_id), 202)


class CauseHandler(ModernizerHandler):
    """Starts searches for a cause."""

    @endpoint("execute")
    async def post(self, session_id: str) -> None:
        """Test the effect of silent library changes on the best iteration's score: `202`."""
        self.reply_session(self.modernizer.studies.start_cause(session_id), 202)


class ImproveHandler(ModernizerHandler):
    """Starts searches for a better version."""

    @endpoint("execute")
    async def post(self, session_id: str) -> None:
        """Compare changed versions of the best iteration's notebook with it: `202`."""
        ask = await self.body(messages.Improve)
        settings = FoldSettings(
            count=ask.folds,
            split=ask.split,
            column=ask.column,
            budget=ask.budget,
            ablate=ask.ablate,
            course=ask.refine,
            roles=ask.roles,
            partitions=ask.partitions,
        )
        session = self.modernizer.studies.start_improvement(session_id, settings=settings)
        self.reply_session(session, 202)


class BlocksHandler(ModernizerHandler):
    """The parts of notebooks."""

    @endpoint("read")
    async def get(self, session_id: str) -> None:
        """Answer with the role of each part of the best iteration's notebook; nothing runs."""
        self.reply(messages.Blocks(blocks=await self.modernizer.studies.blocks(session_id)))


class ProposeVersionHandler(ModernizerHandler):
    """Puts better versions up for review."""

    @endpoint("write")
    async def post(self, session_id: str) -> None:
        """Answer with the session, in which the version waits for review."""
        ask = await self.body(messages.ProposeVersion)
        self.reply_session(self.modernizer.studies.propose_version(session_id, ask.notebook_hash))


class TargetHandler(ModernizerHandler):
    """Finds targets."""

    @endpoint("execute")
    async def post(self, session_id: str) -> None:
        """Run the notebook, unchanged, with its original libraries: `202`."""
        self.reply_session(self.modernizer.studies.start_target(session_id), 202)


class ContrastHandler(ModernizerHandler):
    """Compares runs of today with those in the libraries of a notebook's own time."""

    most_bytes = MOST_WITH_NOTEBOOK

    @endpoint("execute")
    async def post(self, session_id: str) -> None:
        """Run the notebook today, and before that, if due, in its original libraries: `202`."""
        ask = await self.body(messages.CompareToday)
        self.reply_session(self.modernizer.studies.start_contrast(session_id, ask.notebook), 202)


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


class BackportLockHandler(ModernizerHandler):
    """The lock files of kernels of a notebook's own time."""

    @endpoint("read")
    async def get(self, session_id: str) -> None:
        """Answer with the lock as a file (`pylock.toml`, PEP 751)."""
        text = self.modernizer.environments.backport_lock(session_id)
        self.set_header("Content-Disposition", 'attachment; filename="pylock.toml"')
        self.finish(text, set_content_type="application/toml")


def routes(session: str) -> list[tuple[str, type[Any]]]:
    """Return their routes, below a session's."""
    return [
        (session + r"/verify", VerifyHandler),
        (session + r"/noise", NoiseHandler),
        (session + r"/cause", CauseHandler),
        (session + r"/proof", ProofHandler),
        (session + r"/target", TargetHandler),
        (session + r"/contrast", ContrastHandler),
        (session + r"/backport", BackportHandler),
        (session + r"/backport/lock", BackportLockHandler),
        (session + r"/rules", LearnedRulesHandler),
        (session + r"/improve", ImproveHandler),
        (session + r"/improve/proposal", ProposeVersionHandler),
        (session + r"/blocks", BlocksHandler),
    ]
