"""The reproduction of a paper's experiment as one self-contained HTML page.

The paper's texts are untrusted; the template escapes all of them, and its policy forbids scripts
and every request.
"""

from __future__ import annotations

import shlex

from mle_modernizer_server.domain.reproduction import (
    AlignmentCode,
    ClaimCheck,
    ClaimOutcome,
    ClaimRemark,
    ReproductionCheck,
)
from mle_modernizer_server.workflow.report.template import report_template

_REMARKS = {
    ClaimRemark.WRITTEN: "the number stands in the code and is not computed",
    ClaimRemark.SCALE: "percent or share? A hundred times or a hundredth of it would hold",
    ClaimRemark.SOME_RUNS: "not every run gave a number",
}
_ALIGNED = {
    AlignmentCode.MET: "met",
    AlignmentCode.DIFFERS: "differs",
    AlignmentCode.MISSING: "missing",
    AlignmentCode.ASSUMED: "assumed",
    AlignmentCode.UNREADABLE: "to be read by a person",
}


def outcome_text(check: ClaimCheck) -> str:
    """Return a claim's result in words."""
    if check.outcome is ClaimOutcome.WITHIN_ROUNDING:
        return "within rounding"
    if check.outcome is ClaimOutcome.WITHIN_TOLERANCE:
        return "within tolerance"
    if check.outcome is ClaimOutcome.NOT_COMPUTED:
        return "not computed"
    off = "" if check.difference is None else f"off by {100 * check.difference:+.1f} %"
    if check.outcome is ClaimOutcome.OFF:
        return off or "off"
    return f"not reached ({off})" if off else "not reached"


def remark_texts(check: ClaimCheck) -> str:
    """Return the remarks on a claim's result in words."""
    return "; ".join(_REMARKS[remark] for remark in check.remarks)


def aligned_text(code: AlignmentCode) -> str:
    """Return how the code meets a requirement, in words."""
    return _ALIGNED[code]


def reproduction_html(found: ReproductionCheck, notebook: str, version: str) -> str:
    """Return the report as one self-contained page.

    Args:
        notebook: Name of the notebook's file.
    """
    words = ["jupyter", "modernize", "paper", "--check", notebook, "--runs", str(len(found.runs))]
    template = report_template("reproduction.html.j2")
    template.globals.update(outcome=outcome_text, remarks=remark_texts, aligned=aligned_text)
    return template.render(
        found=found,
        notebook=notebook,
        version=version,
        holding=sum(check.outcome.holds for check in found.claims),
        deviations=[
            one
            for one in found.alignments
            if one.code in (AlignmentCode.DIFFERS, AlignmentCode.MISSING)
        ],
        command=" ".join(map(shlex.quote, [*words, "--tolerance", f"{found.tolerance:g}"])),
    )
