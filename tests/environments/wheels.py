"""Tiny wheels and the indexes they lie in, so that uv is tried for real without a network."""

from __future__ import annotations

import io
import json
import tarfile
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from mle_modernizer_server.environments.uv import Indexes


def source_archive(top: str, files: Mapping[str, str]) -> bytes:
    """A `.tar.gz` with these files in one folder."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for path, text in files.items():
            entry = tarfile.TarInfo(f"{top}/{path}")
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return stream.getvalue()


class Wheels:
    """A folder of wheels, laid out as an index that tells no upload times."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.uploaded: dict[str, str] = {}
        self.add("ipykernel", "6.29.0", uploaded="2026-01-01")
        self.add("pip", "25.0", uploaded="2026-01-01")

    def add(
        self,
        name: str,
        version: str,
        *,
        requires: tuple[str, ...] = (),
        files: Mapping[str, str] | None = None,
        uploaded: str = "2020-01-01",
        tag: str = "py3-none-any",
    ) -> None:
        """Put a wheel with one module (or these files) into the index."""
        module = name.replace("-", "_")
        content = dict(files or {f"{module}.py": f"__version__ = {version!r}\n"})
        info = f"{module}-{version}.dist-info"
        rows = "".join(f"Requires-Dist: {text}\n" for text in requires)
        content[f"{info}/METADATA"] = (
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{rows}\n"
        )
        content[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n"
        content[f"{info}/RECORD"] = "".join(f"{path},,\n" for path in content)
        file = self._place(name) / f"{module}-{version}-{tag}.whl"
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, text in content.items():
                archive.writestr(path, text)
        self._listed(name, file, uploaded)

    def add_source(
        self,
        name: str,
        version: str,
        setup: str,
        files: Mapping[str, str] | None = None,
        uploaded: str = "2020-01-01",
    ) -> None:
        """Put a source distribution into the index whose setup.py is this text."""
        file = self._place(name) / f"{name}-{version}.tar.gz"
        content = {"setup.py": setup, "PKG-INFO": f"Name: {name}\n", **(files or {})}
        file.write_bytes(source_archive(f"{name}-{version}", content))
        self._listed(name, file, uploaded)

    def _place(self, name: str) -> Path:
        place = self.folder / name
        place.mkdir(parents=True, exist_ok=True)
        return place

    def _listed(self, name: str, file: Path, uploaded: str) -> None:
        self.uploaded[file.name] = uploaded
        links = [
            f'<a href="{item.name}">{item.name}</a>'
            for item in sorted((self.folder / name).iterdir())
            if item.suffix in (".whl", ".gz")
        ]
        (self.folder / name / "index.html").write_text(
            f"<!DOCTYPE html><html><body>{' '.join(links)}</body></html>"
        )

    @property
    def indexes(self) -> Indexes:
        """It, without upload times."""
        return Indexes(("--default-index", self.folder.as_uri()), (("UV_HTTP_RETRIES", "0"),))

    @contextmanager
    def dated(self) -> Iterator[Indexes]:
        """It, served with the upload times of PEP 700."""
        wheels = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                parts = self.path.strip("/").split("/")
                file = wheels.folder.joinpath(*parts)
                if len(parts) == 1 and file.is_dir():
                    body, kind = wheels.page(parts[0]), "application/vnd.pypi.simple.v1+json"
                elif file.is_file() and file.resolve().is_relative_to(wheels.folder.resolve()):
                    body, kind = file.read_bytes(), "application/octet-stream"
                else:
                    self.send_error(404)
                    return
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(body)

            do_HEAD = do_GET  # noqa: N815

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield Indexes(("--default-index", f"http://127.0.0.1:{server.server_port}/"), ())
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def page(self, name: str) -> bytes:
        """A package's page in the index with upload times."""
        files = [
            {
                "filename": item.name,
                "url": f"/{name}/{item.name}",
                "hashes": {},
                "size": item.stat().st_size,
                "upload-time": f"{self.uploaded[item.name]}T00:00:00Z",
            }
            for item in sorted((self.folder / name).iterdir())
            if item.name in self.uploaded
        ]
        page = {"meta": {"api-version": "1.1"}, "name": name, "versions": [], "files": files}
        return json.dumps(page).encode()
