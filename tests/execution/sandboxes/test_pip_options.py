"""Options of install lines are read as pip reads them, and only those of a list reach pip."""

from __future__ import annotations

import pytest

from mle_modernizer_server.execution.sandboxes.pip_options import (
    BadInstallLine,
    confined_refusal,
    local_path,
    parse_install,
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("six", ((), (), ("six",))),
        ("-qU six", ((), ("--upgrade",), ("six",))),
        ("--require-h six --q", ((), ("--require-hashes",), ("six",))),
        ("-rneeds.txt", ((), ("--requirement=needs.txt",), ())),
        ("-r needs.txt -c old.txt", (("--constraint=old.txt",), ("--requirement=needs.txt",), ())),
        ("six --only-b :all:", (("--only-binary=:all:",), (), ("six",))),
        ("--pre --no-deps -- -six", (("--pre",), ("--no-deps",), ("-six",))),
        ("-t /tmp/x --timeout=9 --user six", ((), (), ("six",))),
        ("--use-feature=2020-resolver six", ((), (), ("six",))),
    ],
)
def test_arguments_are_sorted_by_purpose(line, expected):
    request = parse_install(tuple(line.split()))
    assert (request.finding, request.choosing, request.requirements) == expected
    assert request.sources == request.builds == ()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("--evil six", "no such option: --evil"),
        ("--no six", "ambiguous option: --no"),
        ("-r", "-r option requires 1 argument"),
        ("--upgrade=1 six", "--upgrade option does not take a value"),
        ("--pyth /usr/bin/python2 six", "ambiguous option: --pyth"),
        ("--python /usr/bin/python2 six", "--python cannot be used in a run"),
        ("--edit=. six", "--editable cannot be used in a run"),
        ("--group dev", "--group cannot be used in a run"),
        ("--dry six", "--dry-run installs nothing"),
        ("-d . six", "--download installs nothing"),
    ],
)
def test_option_outside_the_list_is_refused(line, why):
    with pytest.raises(BadInstallLine, match=why):
        parse_install(tuple(line.split()))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("--only-binary :none: six", "'--only-binary=:none:' asks for a build"),
        ("--only-b=six,:none: six", "asks for a build"),
        ("--no-bin six six", "'--no-binary=six' asks for a build"),
        ("--config-setting a=b six", "asks for a build"),
        ("-C a=b six", "asks for a build"),
        ("--global-o=a six", "asks for a build"),
        ("./evil-1.0.tar.gz", "'./evil-1.0.tar.gz' would have to be built"),
        ("evil-1.0.zip", "would have to be built"),
        ("evil.tar.gz[more]", "would have to be built"),
        (".", "'.' would have to be built"),
        ("/kaggle/input/package", "would have to be built"),
        ("file:///kaggle/input/evil.zip#egg=x.whl", "would have to be built"),
        ("x@file:/kaggle/input/evil.zip", "would have to be built"),
        ("git+https://a.example/x", "is an address"),
        ("x@https://a.example/x.whl", "is an address"),
        ("-r https://a.example/needs.txt", "is an address"),
        ("-chttp://a.example/needs.txt six", "is an address"),
    ],
)
def test_build_or_address_is_refused_in_a_sandbox(line, why):
    assert why in confined_refusal(parse_install(tuple(line.split())))


@pytest.mark.parametrize(
    "line",
    [
        "numpy",
        "./x.whl",
        "x[more]@file:///kaggle/input/x.whl",
        "/kaggle/input/wheels/x-1.0-py3-none-any.whl",
        "-r requirements.txt",
        "--no-binary :none: six",
        "--only-binary=:all: six",
        "--no-index --find-links=/kaggle/input/wheels six",
    ],
)
def test_name_wheel_or_file_of_names_passes(line):
    assert confined_refusal(parse_install(tuple(line.split()))) == ""


def test_indexes_of_a_line_are_ignored_and_directories_stay():
    line = "-ihttps://c.example --extra https://a.example -f https://b.example -f /kaggle/input x"
    request = parse_install(tuple(line.split()))
    assert confined_refusal(request) == ""
    assert request.from_configured_indexes().sources == ("--find-links=/kaggle/input",)


def test_names_are_no_paths():
    for name in ("six", "six>=1.0", "scikit-learn[all]~=1.2", "x; python_version < '3'"):
        assert local_path(name) is None
