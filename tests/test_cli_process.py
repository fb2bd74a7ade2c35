"""The command line as a process: exit codes, Ctrl-C, closed pipes, full disks, terminals and colour."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

FIVE = "D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L"
FULL = "D:AT76.K8.AJ842.KJ763 K8.973.KT763.AQ9542 QJ9543.AQJT654.Q5.8"
COMMAND = [sys.executable, "-m", "sgtmajor"]

posix = pytest.mark.skipif(os.name != "posix", reason="signals and terminals as POSIX has them")

# Sends itself Ctrl-C when a module is about to be imported, then runs the entry point of the console script.
INTERRUPTED_IMPORT = """
import os, signal, sys
module = sys.argv.pop(1)
class Interrupter:
    def find_spec(self, name, path, target=None):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupter())
from sgtmajor.cli.main import main
main()
"""


def start(*arguments: str, stdin: int = subprocess.PIPE) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], input=stdin, capture_output=True, text=True, timeout=60)


def shell(line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", line, "sh", *COMMAND],
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )


def interrupt(process: subprocess.Popen[str], times: int = 1) -> tuple[str, str, float]:
    """Presses Ctrl-C; returns what was printed and how long the process lived on."""
    started = time.perf_counter()
    for _ in range(times):
        process.send_signal(signal.SIGINT)
        time.sleep(0.002)
    try:
        stdout, stderr = process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return stdout, stderr, time.perf_counter() - started


def test_exit_codes_tell_what_happened() -> None:
    bad = "D:A... A... Q... trump=S"
    assert run("solve", FIVE).returncode == 0
    assert run("solve", "-", stdin=f"{FIVE}\n{bad}\n").returncode == 1
    assert run("solve", bad).returncode == 2
    assert run("solve", "--nothing").returncode == 2


def test_results_go_to_stdout_and_all_else_to_stderr() -> None:
    done = run("solve", "-", "--format", "json", stdin=f"{FIVE}\nnonsense\n")
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["1", "2"]
    assert done.stderr.startswith("<stdin>:2:")
    assert done.stderr.count("\n") == 1


def test_the_version_is_told_without_loading_the_library() -> None:
    code = (
        "import sys; from sgtmajor.cli.main import run; code = run(['--version'])\n"
        "loaded = {'sgtmajor.cards', 'sgtmajor._core', 'tqdm'} & set(sys.modules)\n"
        "sys.exit(code or str(loaded or ''))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr.strip() == ""
    assert done.stdout.startswith("sgtmajor ")


@posix
def test_a_result_is_printed_before_the_next_record_is_read() -> None:
    with start("solve", "-", "--format", "json") as process:
        assert process.stdin
        assert process.stdout
        for number in ("1", "2"):
            process.stdin.write(f"{FIVE}\n")
            process.stdin.flush()
            assert select.select([process.stdout], [], [], 20)[0], "no result although its record was sent"
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()


# Ctrl-C.


@posix
@pytest.mark.parametrize(
    "module",
    [
        "click",
        "sgtmajor.errors",
        "sgtmajor.cli.group",
        "sgtmajor.cli.solve",
        "sgtmajor.record",
        "sgtmajor._core",
    ],
)
def test_ctrl_c_while_modules_are_imported_ends_cleanly(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT, module, "solve", FIVE],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


@posix
@pytest.mark.parametrize(
    "arguments",
    [
        ["analyze", FULL],
        ["analyze", FULL, "--jobs", "1", "--memory", "1"],
        ["analyze", FULL, "--rules", "polish", "--jobs", "5"],
        ["solve", "deals.txt", "--cards", "--line"],
    ],
)
@pytest.mark.parametrize("moment", [0.15, 0.3, 0.8])
def test_ctrl_c_ends_a_long_search_within_a_second(
    arguments: list[str], moment: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("deals.txt").write_text(f"{FULL} trump=N\n" * 1000)
    with start(*arguments) as process:
        time.sleep(moment)
        _, stderr, seconds = interrupt(process)
        assert (process.returncode, stderr) == (130, "interrupted\n")
        assert seconds < 1


@posix
def test_ctrl_c_ends_the_wait_for_standard_input() -> None:
    with start("solve", "-") as process:
        time.sleep(0.5)
        _, stderr, seconds = interrupt(process)
        assert (process.returncode, stderr) == (130, "interrupted\n")
        assert seconds < 1


@posix
def test_ctrl_c_keeps_the_results_printed_so_far() -> None:
    with start("solve", "-", "--format", "json") as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"{FIVE}\n")
        process.stdin.flush()
        first = process.stdout.readline()
        _, stderr, seconds = interrupt(process)
        assert json.loads(first)["tricks"] == 5
        assert (process.returncode, stderr) == (130, "interrupted\n")
        assert seconds < 1


@posix
def test_ctrl_c_pressed_again_and_again_still_ends_cleanly() -> None:
    with start("analyze", FULL) as process:
        time.sleep(0.5)
        _, stderr, _ = interrupt(process, times=20)
        assert (process.returncode, stderr) == (130, "interrupted\n")


# Output that cannot be written.


@posix
@pytest.mark.parametrize(
    "command", ['"$@" rules', 'yes "$RECORD" | head -5000 | "$@" solve - --format json', '"$@" --help']
)
def test_a_closed_pipe_ends_quietly(command: str) -> None:
    done = shell(f"RECORD='{FIVE}'; {{ {command}; echo code $? >&2; }} | head -1")
    assert done.stdout.count("\n") == 1
    assert done.stderr == "code 0\n"


@posix
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("command", ["rules", f"solve '{FIVE}'", "--help", "--version", "completion zsh"])
def test_a_full_disk_is_one_line(command: str) -> None:
    done = shell(f'"$@" {command} > /dev/full')
    assert done.returncode == 1
    assert done.stderr == "sgtmajor: cannot write the output: No space left on device\n"


@posix
def test_a_closed_stdout_is_one_line() -> None:
    done = shell('"$@" rules >&-')
    assert done.returncode == 1
    assert done.stderr == "sgtmajor: cannot write the output: standard output is closed\n"


@posix
def test_a_closed_stdin_is_one_line() -> None:
    done = shell('"$@" solve - <&-')
    assert done.returncode == 2
    assert done.stderr == "<stdin>: standard input is closed\n"


@posix
def test_a_closed_stderr_changes_nothing_but_the_message() -> None:
    done = shell('"$@" solve nonsense: 2>&-')
    assert (done.returncode, done.stdout) == (2, "")


# Terminals.


def on_terminal(*arguments: str, **environment: str) -> tuple[str, int]:
    """Runs the program with stdout and stderr on a terminal; returns what it shows and the exit code."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    variables = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=variables | environment
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 1 << 16)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(ours)
    return shown.decode("utf-8"), process.wait(timeout=30)


@posix
def test_colour_is_for_terminals_that_want_it() -> None:
    plain = run("solve", "--cards", FIVE).stdout
    assert "\x1b" not in plain
    coloured, code = on_terminal("solve", "--cards", FIVE)
    assert code == 0
    assert "\x1b[31m♥" in coloured
    assert on_terminal("solve", "--cards", FIVE, NO_COLOR="1") == (plain.replace("\n", "\r\n"), 0)
    # As the convention has it, an empty variable says nothing.
    assert "\x1b[31m" in on_terminal("solve", "--cards", FIVE, NO_COLOR="")[0]


@posix
def test_progress_is_shown_on_terminals_only() -> None:
    assert run("analyze", "D:AK.5.3. QT.A..2 J9.K.Q. K:...A").stderr == ""
    shown, code = on_terminal("analyze", "D:AK.5.3. QT.A..2 J9.K.Q. K:...A")
    assert code == 0
    assert " choices" in shown
    # The bar is wiped away before the analysis is printed.
    last = shown.splitlines()[-1]
    assert "Then: " in last
    assert " choices" not in shown[shown.index("rules classic") :]


@posix
def test_a_batch_shows_its_progress_and_keeps_failures_apart(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(f"{FIVE}\n" * 30 + "nonsense\n")
    shown, code = on_terminal("batch", str(path), "-o", str(tmp_path / "values.jsonl"))
    assert code == 1
    assert "31/31" in shown or "/31 " in shown
    assert f"{path}:31:1: 'nonsense' is no deal" in shown
    # Results on the terminal leave no room for a bar.
    shown, _ = on_terminal("batch", str(path))
    assert "/31 " not in shown


@posix
def test_play_on_a_terminal_asks_and_goes_on_after_a_mistyped_command() -> None:
    import pty

    ours, theirs = pty.openpty()
    strict = os.environ | {"PYTHONIOENCODING": "utf-8:strict"}
    process = subprocess.Popen(
        [*COMMAND, "play", FIVE], stdin=theirs, stdout=theirs, stderr=theirs, env=strict
    )
    os.close(theirs)
    shown = b""
    for expected, answer in [
        (b"L> ", b"SA\n"),
        (b"L cannot play SA", b""),
        (b"L> ", b"\xff\xfe\n"),
        (b"is no command and no card", b""),
        (b"L> ", b"# a comment\n"),
        (b"# a comment\r\nL> ", b"S8 # another\n"),
        (b"R> ", b"q\n"),
    ]:
        while expected not in shown:
            assert select.select([ours], [], [], 30)[0], shown
            shown += os.read(ours, 1 << 16)
        shown = shown.partition(expected)[2]
        os.write(ours, answer)
    assert process.wait(timeout=30) == 0
    os.close(ours)


def test_a_terminal_without_suit_symbols_gets_letters() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    for arguments in (
        ["solve", "--cards", "--line", FIVE],
        ["rules"],
        ["rules", "--help"],
        ["solve", "--help"],
    ):
        done = subprocess.run([*COMMAND, *arguments], capture_output=True, env=environment, timeout=60)
        assert (done.returncode, done.stderr) == (0, b"")
        assert not any(symbol.encode() in done.stdout for symbol in "♠♥♦♣")
    done = subprocess.run([*COMMAND, "solve", FIVE], capture_output=True, env=environment, timeout=60)
    assert b"5 tricks, S trumps" in done.stdout


def test_no_file_is_written(tmp_path: Path) -> None:
    subprocess.run([*COMMAND, "analyze", FIVE], cwd=tmp_path, capture_output=True, timeout=60, check=True)
    assert list(tmp_path.iterdir()) == []
