"""Exact double-dummy solver and deal analyzer for Sergeant Major (3-5-8)."""

# Names are imported from their modules when they are first used, and even typing is not imported: the command
# line starts faster, and Ctrl-C meets a program that can handle it from the first moment.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from sgtmajor.cards import BySeat, Card, Hand, Seat, Suit, Trump
    from sgtmajor.deal import Deal, Position
    from sgtmajor.engine import Bounds, Stats
    from sgtmajor.errors import InputError, SearchStopped, SgtMajorError, SolverMemoryError
    from sgtmajor.exchange import Gift
    from sgtmajor.kitty import DiscardValue
    from sgtmajor.record import BadRecord, Record, read_records
    from sgtmajor.rules import PRESETS, Rules
    from sgtmajor.trump import Analysis, ContractReport, Progress, analyze
    from sgtmajor.values import CardValue, Solution, Solver, Values, solve

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

__all__ = [
    "PRESETS",
    "Analysis",
    "BadRecord",
    "Bounds",
    "BySeat",
    "Card",
    "CardValue",
    "ContractReport",
    "Deal",
    "DiscardValue",
    "Gift",
    "Hand",
    "InputError",
    "Position",
    "Progress",
    "Record",
    "Rules",
    "SearchStopped",
    "Seat",
    "SgtMajorError",
    "Solution",
    "Solver",
    "SolverMemoryError",
    "Stats",
    "Suit",
    "Trump",
    "Values",
    "analyze",
    "read_records",
    "solve",
]


def __getattr__(name: str) -> object:
    """Imports a public name when it is first used."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"sgtmajor.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Returns the names of the package, used or not."""
    return sorted(set(globals()) | set(__all__))
