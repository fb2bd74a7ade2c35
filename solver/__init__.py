"""Exact double-dummy solver and deal analyzer for Sergeant Major (3-5-8)."""

# Names are imported from their modules when they are first used, and even typing is not imported: the command
# line starts faster, and Ctrl-C meets a program that can handle it from the first moment.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from sgtmajor.cards import (
        BySeat as BySeat,
    )
    from sgtmajor.cards import (
        Card as Card,
    )
    from sgtmajor.cards import (
        Hand as Hand,
    )
    from sgtmajor.cards import (
        Seat as Seat,
    )
    from sgtmajor.cards import (
        Suit as Suit,
    )
    from sgtmajor.cards import (
        Trump as Trump,
    )
    from sgtmajor.deal import Deal as Deal
    from sgtmajor.deal import Position as Position
    from sgtmajor.engine import Bounds as Bounds
    from sgtmajor.engine import Stats as Stats
    from sgtmajor.errors import (
        InputError as InputError,
    )
    from sgtmajor.errors import (
        SearchStopped as SearchStopped,
    )
    from sgtmajor.errors import (
        SgtMajorError as SgtMajorError,
    )
    from sgtmajor.errors import (
        SolverMemoryError as SolverMemoryError,
    )
    from sgtmajor.exchange import Gift as Gift
    from sgtmajor.kitty import DiscardValue as DiscardValue
    from sgtmajor.record import BadRecord as BadRecord
    from sgtmajor.record import Record as Record
    from sgtmajor.record import read_records as read_records
    from sgtmajor.rules import PRESETS as PRESETS
    from sgtmajor.rules import Rules as Rules
    from sgtmajor.trump import (
        Analysis as Analysis,
    )
    from sgtmajor.trump import (
        ContractReport as ContractReport,
    )
    from sgtmajor.trump import (
        Progress as Progress,
    )
    from sgtmajor.trump import (
        analyze as analyze,
    )
    from sgtmajor.values import (
        CardValue as CardValue,
    )
    from sgtmajor.values import (
        Solution as Solution,
    )
    from sgtmajor.values import (
        Solver as Solver,
    )
    from sgtmajor.values import (
        Values as Values,
    )
    from sgtmajor.values import (
        solve as solve,
    )

_NAMES = {
    "cards": ("BySeat", "Card", "Hand", "Seat", "Suit", "Trump"),
    "deal": ("Deal", "Position"),
    "engine": ("Bounds", "Stats"),
    "errors": ("InputError", "SearchStopped", "SgtMajorError", "SolverMemoryError"),
    "exchange": ("Gift",),
    "kitty": ("DiscardValue",),
    "record": ("BadRecord", "Record", "read_records"),
    "rules": ("PRESETS", "Rules"),
    "trump": ("Analysis", "ContractReport", "Progress", "analyze"),
    "values": ("CardValue", "Solution", "Solver", "Values", "solve"),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    """Imports a public name when it is first used."""
    from importlib import import_module

    if name == "__version__":
        from importlib.metadata import version

        return version("sgtmajor")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"sgtmajor.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Returns the names of the package, used or not."""
    return sorted(set(globals()) | set(__all__))
