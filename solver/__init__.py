"""Exact double-dummy solver and deal analyzer for Sergeant Major (3-5-8)."""

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
    "Seat",
    "SearchStopped",
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
