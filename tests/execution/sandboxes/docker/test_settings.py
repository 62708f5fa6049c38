"""The settings of containers: from Jupyter's configuration, from the command line, in words."""

from __future__ import annotations

import pytest
from traitlets import TraitError
from traitlets.config import Config

from mle_modernizer_server.cli.notebook_options import parse
from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.execution.sandboxes.docker.configuration import DockerSandbox
from mle_modernizer_server.execution.sandboxes.docker.settings import (
    PipNetwork,
    Settings,
    gpus,
    in_words,
    size,
)

GIGABYTE = 2**30


def test_default_container_is_as_large_as_kaggles():
    settings = DockerSandbox(config=Config()).settings()
    assert settings == Settings(pool=1)
    assert (settings.memory, settings.cpus) == (30 * GIGABYTE, 4)
    assert settings.image == "gcr.io/kaggle-images/python"


def test_every_setting_can_be_configured():
    config = Config()
    config.DockerSandbox = Config(
        host="tcp://engine:2376",
        image="python:3.11",
        memory="1.5g",
        cpus=1.5,
        gpus="2",
        pids_limit=100,
        disk="512m",
        pip="index-only",
        pip_network="host",
        pool_size=0,
        max_containers=2,
        longest_life=3600,
    )
    assert DockerSandbox(config=config).settings() == Settings(
        host="tcp://engine:2376",
        image="python:3.11",
        memory=GIGABYTE * 3 // 2,
        cpus=1.5,
        gpus="2",
        pids=100,
        disk=GIGABYTE // 2,
        pip=PipNetwork.INDEX_ONLY,
        pip_network="host",
        pool=0,
        containers=2,
        life=3600,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [("memory", "much"), ("memory", "0"), ("disk", "-1g"), ("gpus", "some"), ("pip", "maybe")],
)
def test_a_setting_that_makes_no_sense_is_refused_at_the_start(name, value):
    config = Config()
    config.DockerSandbox[name] = value
    with pytest.raises(TraitError):
        DockerSandbox(config=config).settings()


def test_sizes_are_read_as_docker_writes_them():
    for text in ("2g", "2G", "2GB", "2GiB", "2 gib", "2048m", "2147483648"):
        assert size(text) == 2 * GIGABYTE
    for text in ("", "g", "2x", "1e3", "0.0"):
        with pytest.raises(BadSetting):
            size(text)
    assert [in_words(number) for number in (512, 2**20, 1.5 * GIGABYTE, 2**50)] == [
        "512 bytes",
        "1 MB",
        "1.5 GB",
        "1048576 GB",
    ]


def test_gpus_are_a_word_or_a_number():
    assert [gpus(text) for text in ("auto", "none", "all", "1", "16")]
    for text in ("", "0", "-1", "two", "1.5"):
        with pytest.raises(BadSetting):
            gpus(text)


def test_the_command_lines_flags_make_the_settings():
    flags = "--image x --memory 2g --cpus 1 --gpu none --pip never"
    given = parse(["run", "a.ipynb", *flags.split()])
    assert Settings(**given.containers) == Settings(
        image="x", memory=2 * GIGABYTE, cpus=1, gpus="none", pip=PipNetwork.NEVER
    )
    assert given.sandbox == "docker"
    assert parse(["run", "a.ipynb"]).containers == {}
    assert parse(["run", "a.ipynb"]).sandbox is None


def test_flags_of_containers_are_refused_with_another_sandbox(capsys):
    with pytest.raises(SystemExit):
        parse(["run", "a.ipynb", "--sandbox", "process", "--memory", "2g"])
    assert "are for the sandbox `docker`" in capsys.readouterr().err


@pytest.mark.parametrize(
    "flag", [["--memory", "0"], ["--gpu", "x"], ["--pip", "x"], ["--cpus", "0"]]
)
def test_a_flag_that_makes_no_sense_is_wrong_usage(flag, capsys):
    with pytest.raises(SystemExit) as ended:
        parse(["run", "a.ipynb", *flag])
    assert ended.value.code == 2
    assert flag[0] in capsys.readouterr().err
