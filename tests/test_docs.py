"""The documents: every example in them runs and prints what they say."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent


def load_update() -> ModuleType:
    spec = importlib.util.spec_from_file_location("update", ROOT / "docs" / "update.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


UPDATE = load_update()
DOCUMENTS = UPDATE.documents()
PROSE = [path for path in DOCUMENTS if path.name != "cli.md"]


@pytest.mark.parametrize("path", PROSE, ids=lambda path: path.name)
def test_console_examples_print_what_the_document_says(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert UPDATE.updated(text) == text, "run `make docs`"


def test_the_command_reference_is_the_help_texts() -> None:
    # Another version of click may break lines elsewhere.
    written = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert UPDATE.reference().split() == written.split(), "run `make docs`"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_python_examples_run(path: Path) -> None:
    for block in re.findall(r"```python\n(.*?)\n```", path.read_text(encoding="utf-8"), flags=re.DOTALL):
        exec(compile(block, str(path), "exec"), {})


def test_the_readme_says_what_its_python_example_prints(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)\n```", text, flags=re.DOTALL)
    exec(compile(block, "README.md", "exec"), {})
    assert f"prints `{capsys.readouterr().out.strip()}`" in text


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_between_documents_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("script", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_example_scripts_run(script: Path) -> None:
    if "import numpy" in script.read_text(encoding="utf-8"):
        pytest.importorskip("numpy")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


SESSION = ROOT / "examples" / "session.txt"


def test_the_example_session_is_one() -> None:
    from sgtmajor import Session, score

    with SESSION.open("rb") as stream:
        assert score(Session.read(stream, SESSION.name)).winner


@pytest.mark.parametrize(
    "file", sorted({*(ROOT / "examples").glob("*.txt")} - {SESSION}), ids=lambda path: path.name
)
def test_example_files_are_records(file: Path) -> None:
    from sgtmajor import Record, read_records

    with file.open("rb") as stream:
        records = [record for _, record in read_records(stream, file.name)]
    assert records
    assert all(isinstance(record, Record) for record in records)
