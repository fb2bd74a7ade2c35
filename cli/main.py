"""The entry point, and the one place where an exception becomes a message and an exit code.

Exit codes: 0 all went well, 1 a record of several failed or a search did not end, 2 bad usage or bad input,
130 Ctrl-C. Everything is imported inside, so that Ctrl-C is in good hands from the first moment.
"""

from __future__ import annotations

import io
import os
import sys

PROGRAM = "sgtmajor"
COMPLETION_VARIABLE = "_SGTMAJOR_COMPLETE"

OK = 0
FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130


def main() -> None:
    """Runs the command line and exits."""
    try:
        _take_one_interrupt()
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        complain("interrupted")
        # At once: a thread that is about to end must not delay it, nor Python die of the signal after all.
        os._exit(INTERRUPTED)
    _ignore_interrupts()
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Runs the command line.

    Args:
        arguments: What follows the name of the program.

    Returns:
        The exit code.

    Raises:
        KeyboardInterrupt: On Ctrl-C.
    """
    import contextlib

    from sgtmajor.errors import InputError, InputErrors, SgtMajorError

    for descriptor in range(3):
        # A stream that does not block, as some parents leave it, would silently lose what is read or printed.
        with contextlib.suppress(OSError):
            os.set_blocking(descriptor, True)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # An argument or a name may hold what the terminal, or any text, cannot.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = _invoke(arguments)
        if sys.stdout is None:
            return _fail(f"{PROGRAM}: cannot write the output: standard output is closed", FAILED)
        sys.stdout.flush()
        return code
    except InputErrors as found:
        for each in found.errors:
            complain(str(each))
        return BAD_INPUT
    except InputError as error:
        return _fail(str(error), BAD_INPUT)
    except SgtMajorError as error:
        return _fail(f"{PROGRAM}: {error}", FAILED)
    except MemoryError:
        return _fail(f"{PROGRAM}: out of memory", FAILED)
    except BrokenPipeError:
        # Who read the output has seen enough: that is no failure.
        discard_output()
        return OK
    except OSError as error:
        # Troubles with input files are InputErrors: only writing is left.
        discard_output()
        return _fail(f"{PROGRAM}: cannot write the output: {error.strerror or error}", FAILED)


def _invoke(arguments: list[str]) -> int:
    """Runs the command; click's own ways to end a program become exit codes."""
    import click

    from sgtmajor.cli.group import program

    instruction = os.environ.get(COMPLETION_VARIABLE)
    if instruction:
        from click.shell_completion import shell_complete

        try:
            if shell_complete(program, {}, PROGRAM, COMPLETION_VARIABLE, instruction) == OK:
                return OK
        except (KeyError, ValueError):
            pass
        return _fail(f"{PROGRAM}: {COMPLETION_VARIABLE} is set wrong; only shells set it", BAD_INPUT)
    try:
        with program.make_context(PROGRAM, arguments) as context:
            program.invoke(context)
        return OK
    except click.exceptions.Exit as ending:
        return ending.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else PROGRAM
        message = error.format_message().rstrip()
        stop = "" if message.endswith((".", "?", "!")) else "."
        return _fail(f"{where}: {message}{stop} See '{where} --help'.", BAD_INPUT)


def complain(message: str) -> None:
    """Prints a message as one line on stderr."""
    import contextlib

    import click

    line = " ".join(message.split())
    with contextlib.suppress(OSError):
        click.echo("".join(c if c.isprintable() else repr(c)[1:-1] for c in line), err=True)


def _fail(message: str, code: int) -> int:
    """Prints a message and returns the exit code."""
    complain(message)
    return code


def discard_output() -> None:
    """Sends what is still buffered for stdout nowhere: it cannot be written, and would fail again at exit."""
    import contextlib

    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _ignore_interrupts() -> None:
    """Ignores Ctrl-C from here on: all is done and printed."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _take_one_interrupt() -> None:
    """Lets Ctrl-C interrupt once a second: pressed again at once, it would only disturb the end.

    Not only once: Python drops an exception raised in some of its own callbacks.
    """
    import signal
    from time import monotonic
    from types import FrameType

    last = float("-inf")

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal last
        if monotonic() - last > 1:
            last = monotonic()
            raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
