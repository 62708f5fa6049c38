"""`pip install` lines: with a network before the kernel, and never in it."""

from __future__ import annotations

from dataclasses import replace

from mle_modernizer_server.execution.sandboxes.docker.installer import refused
from mle_modernizer_server.execution.sandboxes.docker.settings import PipNetwork
from mle_modernizer_server.execution.sandboxes.pip_options import parse_install

PACKAGE = "iniconfig==2.0.0"


def test_packages_are_installed_before_the_kernel_and_read_only(run):
    ran = run(
        f"!pip install {PACKAGE}",
        "import iniconfig; print(iniconfig.__file__)",
        "open('/kaggle/packages/more.py', 'w')",
    )
    [installed] = ran.execution.pip_installs
    assert (installed.ok, installed.message) == (True, "Installed iniconfig 2.0.0.")
    assert ran.text(1).startswith("/kaggle/packages/iniconfig")
    assert [error.ename for error in ran.execution.errors] == ["OSError"]


def test_what_is_not_there_is_told_in_pips_words(run):
    [installed] = run("!pip install no-such-package-of-ours").execution.pip_installs
    assert not installed.ok
    assert "No matching distribution" in installed.message


def test_never_installs_nothing(run, box):
    box.configure(replace(box.settings, pip=PipNetwork.NEVER))
    [installed] = run(f"!pip install {PACKAGE}").execution.pip_installs
    assert not installed.ok
    assert "install nothing" in installed.message


def test_index_only_takes_wheels_by_name(run, box):
    box.configure(replace(box.settings, pip=PipNetwork.INDEX_ONLY))
    ran = run(f"!pip install {PACKAGE}\n!pip install docopt==0.6.2")
    wheel, source_only = ran.execution.pip_installs
    assert wheel.ok
    assert not source_only.ok


def test_direct_address_and_another_index_are_refused():
    for line in (
        ("git+https://elsewhere.example/x.git",),
        ("numpy @ https://elsewhere.example/numpy.whl",),
        ("numpy", "--no-binary", ":all:"),
        ("./package.tar.gz",),
        ("--only-binary", ":none:", "numpy"),
    ):
        assert refused(PipNetwork.ALLOW, parse_install(line)), line
    for line in (
        ("-r", "requirements.txt"),
        ("./package.whl",),
        ("-ihttps://elsewhere.example/simple", "numpy"),
        ("--extra-index-url", "https://elsewhere.example/simple", "numpy"),
        ("--find-links=https://elsewhere.example/", "numpy"),
    ):
        assert not refused(PipNetwork.ALLOW, parse_install(line)), line


def test_index_only_refuses_every_other_source():
    for line in (
        ("--extra-index-url", "https://elsewhere.example/simple", "numpy"),
        ("--index-url=https://elsewhere.example/simple", "numpy"),
        ("git+https://elsewhere.example/x.git",),
        ("numpy @ https://elsewhere.example/numpy.whl",),
        ("-r", "requirements.txt"),
        (".",),
        ("./package",),
        ("package.whl",),
        ("package.tar.gz",),
        ("-ihttps://elsewhere.example/simple", "numpy"),
        ("-rrequirements.txt",),
    ):
        assert refused(PipNetwork.INDEX_ONLY, parse_install(line)), line
    for line in (("numpy==1.26", "-U"), ("pandas[excel]>=2,<3", "-q"), ("scikit-learn ~= 1.2",)):
        assert not refused(PipNetwork.INDEX_ONLY, parse_install(line)), line
