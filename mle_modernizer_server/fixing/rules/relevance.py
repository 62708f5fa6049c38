"""The known changes that a notebook really meets, for a reader of its code."""

from __future__ import annotations

import re

from mle_modernizer_server.domain.era import Era, Standing
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.rules.era.era import is_python2, standing
from mle_modernizer_server.fixing.rules.knowledge import all_rules, concerned
from mle_modernizer_server.fixing.rules.rule import Move, Rule
from mle_modernizer_server.fixing.rules.uses import Uses

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_UNKNOWN = Era()


def relevant(notebook: Notebook, environment: Environment, era: Era = _UNKNOWN) -> tuple[Rule, ...]:
    """Return the rules for a model on the notebook's code, as installed; most weighty first.

    Only uses count: a call, an argument or a name of an imported library, as the fixes of the rules
    find it, also at the new address of a moved object, or by its name in a pipeline. Not included
    are silent changes that the notebook's author had already seen, new defaults of arguments that
    are passed, and arguments that no call passes. Of cells that cannot be parsed the words count.

    Args:
        notebook: The sources.
        environment: Installed versions.
        era: Of the notebook.
    """
    # they load the parser
    from mle_modernizer_server.fixing.rules.engine.context import Run
    from mle_modernizer_server.fixing.rules.engine.engine import modernize
    from mle_modernizer_server.fixing.rules.engine.matches import Survey

    uses = Uses(notebook)
    found = [
        rule
        for rule in all_rules()
        if rule.for_models != ""
        and rule.identifiers & uses.names
        and uses.may_use(rule.library)
        and not uses.gives_all(rule)
        and not uses.gives_none(rule)
        and concerned(rule, environment)
        and not (rule.silent and standing(era, rule.library, rule.since) is Standing.AFTER)
    ]
    python2 = is_python2(era)
    survey = Survey(notebook, found, python2=python2)
    met = {one.rule.id for one in survey.matches}
    moves = [one for one in found if one.id in met and any(isinstance(x, Move) for x in one.fixes)]
    if moves:
        moved = modernize(notebook, moves, Run(), lambda *_: True, python2=python2).notebook
        met |= {one.rule.id for one in Survey(moved, found, python2=python2).matches}
    unread = {one.cell_id for one in survey.program.unparsed}
    words = {
        word
        for cell in notebook.code_cells()
        if cell.id in unread
        for word in _IDENTIFIER.findall(cell.source)
    }
    kept = [rule for rule in found if rule.id in met or rule.identifiers & words or uses.sets(rule)]
    told = (
        rule.model_copy(update={"replacement": rule.for_models}) if rule.for_models else rule
        for rule in kept
    )
    return tuple(sorted(told, key=lambda rule: -rule.weight))
