"""Builds the package (PEP 517) with the standard library alone, so that pip installs it from a checkout without a network."""

import base64
import hashlib
import io
import os
import re
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Archives have the same bytes on every build.
TIME = (2026, 1, 1, 0, 0, 0)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    stem = "galeri-" + _project("version")
    files = [(f"galeri/{name}", _read(f"galeri/{name}")) for name in _sources()]
    info = f"{stem}.dist-info"
    files += [
        (f"{info}/METADATA", _metadata()),
        (f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: galeri\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
        (f"{info}/LICENSE", _read("LICENSE")),
    ]
    record = "".join(f"{name},sha256={_digest(content)},{len(content)}\n" for name, content in files)
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode()))
    wheel = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            entry = zipfile.ZipInfo(name, TIME)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    stem = "galeri-" + _project("version")
    names = ["LICENSE", "README.md", "build_backend.py", "pyproject.toml", "examples/mirror.py"]
    files = [(name, _read(name)) for name in names + [f"galeri/{name}" for name in _sources()]]
    with tarfile.open(os.path.join(sdist_directory, f"{stem}.tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name, content in [*files, ("PKG-INFO", _metadata())]:
            entry = tarfile.TarInfo(f"{stem}/{name}")
            entry.size, entry.mode = len(content), 0o644
            archive.addfile(entry, io.BytesIO(content))
    return f"{stem}.tar.gz"


def _sources():
    return sorted(name for name in os.listdir(os.path.join(HERE, "galeri")) if name.endswith(".py") or name == "py.typed")


def _read(name):
    with open(os.path.join(HERE, *name.split("/")), "rb") as file:
        return file.read()


def _project(name):
    """A text of pyproject.toml; Python has a reader for it from 3.11 on only."""
    return re.search(rf'^{name} = "([^"]+)"$', _read("pyproject.toml").decode(), re.MULTILINE)[1]


def _metadata():
    classifiers = re.search(r"^classifiers = \[(.*)\]$", _read("pyproject.toml").decode(), re.MULTILINE)[1]
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {_project('name')}",
        f"Version: {_project('version')}",
        f"Summary: {_project('description')}",
        "License: MIT",
        f"Requires-Python: {_project('requires-python')}",
        *[f"Classifier: {one}" for one in re.findall(r'"([^"]+)"', classifiers)],
        "Description-Content-Type: text/markdown",
        "",
        _read("README.md").decode(),
    ]
    return "\n".join(lines).encode()


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
