"""The option --plot: pictures drawn by matplotlib, which is an extra."""

from __future__ import annotations

import os
import stat
import warnings
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sgtmajor.cli.options import Function, reading
from sgtmajor.errors import InputError

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

SUFFIXES = (".png", ".svg")


def _read_target(text: str) -> str:
    """Reads the name of a picture; refuses it before any work if it cannot be drawn."""
    if Path(text).suffix.lower() not in SUFFIXES:
        raise InputError(f"{text!r} is no picture, expected a name that ends in {' or '.join(SUFFIXES)}")
    if not Path(text).parent.is_dir():
        raise InputError(
            f"{str(Path(text).parent)!r} is no folder, expected one that the picture can be put in"
        )
    reason = _unwritable(text)
    if reason:
        raise InputError(f"{text!r} cannot be written: {reason}")
    if find_spec("matplotlib") is None:
        raise InputError("matplotlib is not installed, expected it: python3 -m pip install matplotlib")
    return text


def _unwritable(text: str) -> str | None:
    """Returns why a file of this name cannot be written, as far as that shows before it is tried."""
    try:
        folder = stat.S_ISDIR(os.stat(text).st_mode)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    return "it is a folder" if folder else None


def plot_option(what: str) -> Callable[[Function], Function]:
    """Adds --plot, which draws what its help text says."""

    def add(function: Function) -> Function:
        return click.option(
            "--plot",
            metavar="FILE.png|svg",
            callback=reading(_read_target),
            help=f"Also draw {what} into this file; needs matplotlib, the extra 'plot'.",
        )(function)

    return add


def save_plot(path: str, draw: Callable[[Axes], None]) -> None:
    """Draws a picture into a file. What is written in it is no formula: ``$`` is drawn as it is.

    Args:
        path: The file; its suffix says which kind of picture.
        draw: Draws on the axes it is given.

    Raises:
        InputError: If the file cannot be written.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    # A letter that the font lacks is drawn as a box: that is seen, and needs no warning.
    with rc_context({"text.usetex": False, "text.parse_math": False}), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        draw(figure.subplots())
        try:
            figure.savefig(path)
        except OSError as error:
            message = f"the picture cannot be written: {error.strerror or error}"
            raise InputError(message, source=path) from None


def add_legend(axes: Axes, artists: Sequence[Artist], names: Sequence[str]) -> None:
    """Adds a legend in which artists have any names; matplotlib itself leaves out those that begin with _."""
    legend = axes.legend(artists, [str(number) for number in range(len(names))])
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(name)
