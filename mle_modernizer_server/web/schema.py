"""The JSON schema of all requests and answers; the front end's types are generated from it.

`python -m mle_modernizer_server.web.schema` writes `schema.json` next to this file. Git does not
track it. The build of the wheel runs this file, so it imports pydantic and `domain` only.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from pydantic import BaseModel
from pydantic.json_schema import (
    GenerateJsonSchema,
    JsonSchemaMode,
    JsonSchemaValue,
    models_json_schema,
)
from pydantic_core import core_schema

from mle_modernizer_server.domain.competition import (
    CompetitionGuess,
    LookAtData,
    MakeCompetition,
)
from mle_modernizer_server.domain.environment import EnvironmentReport
from mle_modernizer_server.domain.forecast import Preflight
from mle_modernizer_server.domain.model_calls import Estimate, Exchange, ExchangeList, PromptPreview
from mle_modernizer_server.domain.notebook import FinishedRun, ReplacedByFinish
from mle_modernizer_server.domain.paper import ClaimsQuestion, PagePicture, PaperReading
from mle_modernizer_server.domain.proposal import LearnedRules
from mle_modernizer_server.domain.reproduction import WritingEstimate
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.domain.statistics import BatchOverview, SessionStatistics, Statistics
from mle_modernizer_server.web import messages

REQUESTS: tuple[type[BaseModel], ...] = (
    messages.DetectRequest,
    messages.PreflightRequest,
    messages.ReadPaper,
    messages.ShowPage,
    messages.CompleteClaims,
    messages.MakeReproduction,
    messages.WriteReproduction,
    messages.EnvironmentsRequest,
    messages.DraftRequest,
    LookAtData,
    MakeCompetition,
    messages.EstimateRequest,
    messages.CreateSession,
    messages.ChangeSettings,
    messages.StartRun,
    messages.TypeScore,
    messages.Verify,
    messages.CompareToday,
    messages.MeasureNoise,
    messages.AskFix,
    messages.StartProbe,
    messages.Improve,
    messages.ProposeVersion,
    messages.ReviewBatchResult,
    messages.KeepRule,
    messages.Decide,
    ReplacedByFinish,
)
ANSWERS: tuple[type[BaseModel], ...] = (
    messages.ServerInfo,
    messages.DetectAnswer,
    CompetitionGuess,
    messages.CompetitionInfo,
    Preflight,
    PaperReading,
    PagePicture,
    BatchOverview,
    ClaimsQuestion,
    messages.MadeReproduction,
    messages.Draft,
    messages.Blocks,
    EnvironmentReport,
    LearnedRules,
    messages.SessionList,
    messages.Log,
    messages.ErrorAnswer,
    messages.SessionHint,
    PromptPreview,
    Exchange,
    ExchangeList,
    Session,
    WritingEstimate,
    messages.SessionUpdate,
    Estimate,
    Statistics,
    SessionStatistics,
    FinishedRun,
)
SCHEMA_FILE = Path(__file__).with_name("schema.json")


class _Described(GenerateJsonSchema):
    """Takes the texts under the fields as their descriptions.

    Pydantic can do so itself (`use_attribute_docstrings`), but then each process that imports the
    models reads and parses their files again.
    """

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """Return the schema of a model, with descriptions."""
        made = super().model_schema(schema)
        properties = made.get("properties", {})
        for base in reversed(schema["cls"].__mro__):
            if issubclass(base, BaseModel) and base is not BaseModel:
                for name, description in described_fields(base):
                    if name in properties:
                        properties[name]["description"] = description
        return made


def described_fields(model: type[BaseModel]) -> Iterator[tuple[str, str]]:
    """Yield the fields that a class has a text under, with the text."""
    (defined,) = ast.parse(textwrap.dedent(inspect.getsource(model))).body
    assert isinstance(defined, ast.ClassDef)
    for field, below in pairwise(defined.body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(description))):
                yield name, inspect.cleandoc(description)


def wire_schema() -> str:
    """Return the schema of all requests and answers, as JSON text with one definition a type."""
    validation: JsonSchemaMode = "validation"
    serialization: JsonSchemaMode = "serialization"
    models = [(model, validation) for model in REQUESTS]
    models += [(model, serialization) for model in ANSWERS]
    _, schema = models_json_schema(
        models, title="Wire", ref_template="#/$defs/{model}", schema_generator=_Described
    )
    schema["type"] = "object"
    schema["additionalProperties"] = False
    return json.dumps(schema, indent=2) + "\n"


if __name__ == "__main__":
    generated = wire_schema()
    # An unchanged file keeps its time, so that nothing is built again from it.
    if not SCHEMA_FILE.is_file() or SCHEMA_FILE.read_text("utf-8") != generated:
        SCHEMA_FILE.write_text(generated, encoding="utf-8")
