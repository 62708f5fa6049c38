"""Network and hardware that a notebook needs: downloads, and a GPU."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import libcst as cst

from mle_modernizer_server.code.calls import table
from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.tree import argument, dotted_name, literal, string
from mle_modernizer_server.domain.files import checked_address, nltk_address, seaborn_address
from mle_modernizer_server.domain.forecast import Needs, NetworkNeed
from mle_modernizer_server.domain.notebook import Notebook

SOURCES = table(__file__)
"""Addresses of the downloads of libraries, and names of those that need the network."""
_GPU_TEXT = re.compile(r"(cuda(:\d+)?|/?(device:)?gpu:\d+|gpu_hist|GPU)", re.I)
"""Text of a device that is a GPU, or of a method that needs one."""
_GPU_KEYWORDS = frozenset({"device", "tree_method", "task_type", "device_type"})
_ASKED = re.compile(r"is_available|device_count|list_physical_devices|gpu_device_name|is_gpu")
"""A condition on whether there is a GPU."""
_LEARNERS = frozenset({"cnn_learner", "create_cnn", "vision_learner", "unet_learner"})
"""Functions of fastai that load the weights of a model."""
_GPU_PACKAGES = frozenset({"cudf", "cuml", "cupy", "torch_xla", "pycuda"})


def needs_of(program: Program) -> Needs:
    """Return the downloads and the demands of a GPU in a program.

    Args:
        program: The notebook's code.
    """
    found: dict[tuple[str, str], NetworkNeed] = {}
    gpu: dict[str, None] = {}
    for cell in program.cells:
        for node in cell.places:
            kind = type(node)  # isinstance takes long
            if kind is cst.Call:
                assert isinstance(node, cst.Call)
                for what, addresses in _downloads(program, node):
                    need = NetworkNeed(cell_id=cell.cell_id, what=what, addresses=addresses)
                    found.setdefault((cell.cell_id, what), need)
            elif kind is cst.ImportFrom:
                assert isinstance(node, cst.ImportFrom)
                for what, addresses in _nltk_imports(node):
                    need = NetworkNeed(cell_id=cell.cell_id, what=what, addresses=addresses)
                    found.setdefault((cell.cell_id, what), need)
            if cell.cell_id not in gpu and _demands_gpu(program, cell, node):
                gpu[cell.cell_id] = None
    return Needs(network=tuple(_each_once(found.values())), gpu_cells=tuple(gpu))


def needs_of_notebook(notebook: Notebook) -> Needs:
    """Return the downloads and the demands of a GPU in a notebook.

    Args:
        notebook: The sources.
    """
    return Needs() if notebook.language != "python" else needs_of(Program(notebook))


def _each_once(needs: Iterable[NetworkNeed]) -> Iterator[NetworkNeed]:
    """Yield needs without those whose files an earlier one has already."""
    seen: set[str] = set()
    for need in needs:
        key = need.what if not need.addresses else ""
        if key in seen or (need.addresses and seen.issuperset(need.addresses)):
            continue
        seen.update({key} if key else need.addresses)
        yield need


Download = tuple[str, tuple[str, ...]]
"""Name of the download for a sentence, and the addresses of its files; none if it takes many."""


def _downloads(program: Program, call: cst.Call) -> Iterator[Download]:
    """Yield the downloads of a call."""
    for address in program.qualnames(call.func) or _method(call):
        top, _, last = address.rpartition(".")
        library = top.partition(".")[0]
        if library == "torchvision":
            yield from _of_torchvision(call, top, last)
        elif library in ("keras", "tensorflow"):
            yield from _of_keras(call, top, last)
        elif library == "fastai":
            yield from _of_fastai(call, last)
        elif library == "nltk":
            yield from _nltk_uses(call, last)
        elif address == "seaborn.load_dataset" and call.args:
            name = string(call.args[0].value)
            where = seaborn_address(name) if name else None
            if where is not None:
                yield f"seaborn's data {name}", (where,)
        elif last == "from_pretrained" and call.args:
            name = string(call.args[0].value)
            if name and not name.startswith((".", "/", "~")):
                yield f"the pretrained model {name}", ()
        elif address in SOURCES["online"]:
            yield SOURCES["online"][address], ()


def _of_torchvision(call: cst.Call, top: str, last: str) -> Iterator[Download]:
    if top.startswith("torchvision.models") and _takes_weights(call):
        yield from _torch_weights(last)
    elif top.startswith("torchvision.datasets") and literal(_value(call, "download")) is True:
        yield f"torchvision's data set {last}", ()


def _of_keras(call: cst.Call, top: str, last: str) -> Iterator[Download]:
    if not _is_keras(top):
        return
    if ".applications" in top:
        yield from _keras_weights(call, last)
    elif ".datasets." in top and last == "load_data":
        yield from _keras_data(top.rpartition(".")[2])


def _of_fastai(call: cst.Call, last: str) -> Iterator[Download]:
    if last in _LEARNERS:
        yield from _backbone(call)
    elif last == "untar_data":
        yield "a data set of fastai", ()


def _method(call: cst.Call) -> tuple[str, ...]:
    """Return the name of a method of an unknown object, behind a dot."""
    return (f".{call.func.attr.value}",) if isinstance(call.func, cst.Attribute) else ()


def _is_keras(address: str) -> bool:
    parts = address.split(".")
    return parts[0] == "keras" or parts[:2] == ["tensorflow", "keras"]


def _value(call: cst.Call, keyword: str) -> cst.BaseExpression | None:
    given = argument(call, keyword)
    return None if given is None else given.value


def _takes_weights(call: cst.Call) -> bool:
    first = argument(call, "pretrained", 0)
    weights = argument(call, "weights")
    if first is not None and literal(first.value) is True:
        return True
    return weights is not None and not (
        isinstance(weights.value, cst.Name) and weights.value.value == "None"
    )


def _torch_weights(name: str) -> Iterator[Download]:
    source = SOURCES["torchvision"]
    file = source["files"].get(name)
    yield f"weights of {name}", () if file is None else (source["base"] + file,)


def _backbone(call: cst.Call) -> Iterator[Download]:
    given = argument(call, "arch", 1)
    pretrained = argument(call, "pretrained")
    if given is None or (pretrained is not None and literal(pretrained.value) is False):
        return
    name = dotted_name(given.value).rpartition(".")[2]
    if name:
        yield from _torch_weights(name)


def _keras_weights(call: cst.Call, name: str) -> Iterator[Download]:
    if not name[:1].isupper():
        return
    weights = argument(call, "weights", 1)
    if weights is not None and string(weights.value) != "imagenet":
        return
    top = argument(call, "include_top", 0)
    source = SOURCES["keras_applications"]
    files = source["files"].get(name)
    without = top is not None and literal(top.value) is False
    yield f"weights of {name}", () if files is None else (source["base"] + files[int(without)],)


def _keras_data(name: str) -> Iterator[Download]:
    source = SOURCES["keras_datasets"]
    files = source["files"].get(name, ())
    yield f"Keras' data {name}", tuple(source["base"] + file for file in files)


def _nltk_uses(call: cst.Call, last: str) -> Iterator[Download]:
    if last == "download":
        given = argument(call, "info_or_id", 0)
        name = None if given is None else string(given.value)
        where = SOURCES["nltk_names"].get(name)
        if name is not None:
            yield _nltk((where,) if where else (), name)
        return
    wanted = SOURCES["nltk"].get(last, ())
    if wanted:
        yield _nltk(wanted, last)
    if isinstance(call.func, cst.Attribute) and isinstance(call.func.value, cst.Attribute):
        where = SOURCES["nltk_names"].get(call.func.value.attr.value)
        if where is not None:
            yield _nltk((where,), call.func.value.attr.value)


def _nltk_imports(node: cst.ImportFrom) -> Iterator[Download]:
    if dotted_name(node.module) != "nltk.corpus" or isinstance(node.names, cst.ImportStar):
        return
    for alias in node.names:
        name = dotted_name(alias.name)
        where = SOURCES["nltk_names"].get(name)
        if where is not None:
            yield _nltk((where,), name)


def _nltk(wanted: tuple[str, ...] | list[str], name: str) -> tuple[str, tuple[str, ...]]:
    """Return the data of nltk with their addresses."""
    shown = ", ".join(one.rpartition("/")[2] for one in wanted) or name
    found = (nltk_address(*one.split("/")) for one in wanted)
    return f"nltk's data {shown}", tuple(checked_address(one) for one in found if one)


def _demands_gpu(program: Program, cell: CellCode, node: cst.CSTNode) -> bool:
    """Return whether a node demands a GPU and no condition asks for one first."""
    if isinstance(node, (cst.Import, cst.ImportFrom)):
        return any(name in cell.code(node).split() for name in _GPU_PACKAGES) and not _is_asked(
            cell, node
        )
    if not isinstance(node, cst.Call):
        return False
    func = node.func
    name = func.attr.value if isinstance(func, cst.Attribute) else ""
    addresses = program.qualnames(func)
    of_torch = any(one.split(".")[0] == "torch" for one in addresses)
    if name == "cuda" and not addresses:
        return not _is_asked(cell, node)
    texts = [string(one.value) for one in node.args if one.keyword is None]
    if name in ("to", "device") and (of_torch or name == "to" or "tensorflow.device" in addresses):
        return any(map(_is_gpu, texts)) and not _is_asked(cell, node)
    given = [
        string(one.value)
        for one in node.args
        if one.keyword is not None and one.keyword.value in _GPU_KEYWORDS
    ]
    return any(map(_is_gpu, given)) and not _is_asked(cell, node)


def _is_gpu(text: str | None) -> bool:
    return text is not None and _GPU_TEXT.fullmatch(text) is not None


def _is_asked(cell: CellCode, node: cst.CSTNode) -> bool:
    for above in cell.ancestors(node):
        if isinstance(above, (cst.If, cst.IfExp)) and _ASKED.search(cell.code(above.test)):
            return True
        if isinstance(above, (cst.Try, cst.IfExp)):
            return True
        if isinstance(above, cst.SimpleStatementLine) and _ASKED.search(cell.code(above)):
            return True
    return False
