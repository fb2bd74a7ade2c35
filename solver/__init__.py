"""Exact double-dummy solver and deal analyzer for Sergeant Major (3-5-8)."""

# Names are imported from their modules when they are first used, and even typing is not imported: the command
# line starts faster, and Ctrl-C meets a program that can handle it from the first moment.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from sgtmajor.advice import Effort as Effort
    from sgtmajor.batch import solve_many as solve_many
    from sgtmajor.cards import (
        BySeat as BySeat,
        Card as Card,
        Hand as Hand,
        Seat as Seat,
        Suit as Suit,
        Trump as Trump,
    )
    from sgtmajor.condition import Condition as Condition
    from sgtmajor.deal import Deal as Deal, Position as Position
    from sgtmajor.dealing import (
        Setting as Setting,
        Wanted as Wanted,
        random_records as random_records,
    )
    from sgtmajor.engine import Bounds as Bounds, Listing as Listing, Stats as Stats
    from sgtmajor.equilibrium import Ties as Ties
    from sgtmajor.errors import (
        EnumerationFull as EnumerationFull,
        InputError as InputError,
        InputErrors as InputErrors,
        Interrupted as Interrupted,
        SearchStopped as SearchStopped,
        SgtMajorError as SgtMajorError,
        SolverMemoryError as SolverMemoryError,
    )
    from sgtmajor.gifts import Due as Due, Gift as Gift
    from sgtmajor.giving import (
        Exchange as Exchange,
        ExchangeOption as ExchangeOption,
        exchange as exchange,
    )
    from sgtmajor.kitty import ContractReport as ContractReport, DiscardValue as DiscardValue
    from sgtmajor.knowledge import (
        Fact as Fact,
        Knowledge as Knowledge,
        parse_holds as parse_holds,
        parse_lacks as parse_lacks,
    )
    from sgtmajor.mistakes import (
        Announcement as Announcement,
        PlayerReview as PlayerReview,
        Review as Review,
        ReviewedCard as ReviewedCard,
        review as review,
    )
    from sgtmajor.moment import Moment as Moment, read_moment as read_moment
    from sgtmajor.play import Turn as Turn
    from sgtmajor.recommend import (
        Advice as Advice,
        Option as Option,
        recommend_discard as recommend_discard,
        recommend_trump as recommend_trump,
    )
    from sgtmajor.recommend_gifts import (
        ExchangeAdvice as ExchangeAdvice,
        WayToGive as WayToGive,
        recommend_exchange as recommend_exchange,
    )
    from sgtmajor.recommend_play import (
        CardAdvice as CardAdvice,
        CardOption as CardOption,
        recommend_card as recommend_card,
    )
    from sgtmajor.record import BadRecord as BadRecord, Record as Record, read_records as read_records
    from sgtmajor.rules import PRESETS as PRESETS, Rules as Rules
    from sgtmajor.session import (
        Debt as Debt,
        Score as Score,
        ScoredDeal as ScoredDeal,
        Session as Session,
        SessionDeal as SessionDeal,
        score as score,
    )
    from sgtmajor.stats import Tally as Tally
    from sgtmajor.tabular import to_frame as to_frame
    from sgtmajor.tasks import Outcome as Outcome
    from sgtmajor.trump import (
        Analysis as Analysis,
        Progress as Progress,
        analyze as analyze,
    )
    from sgtmajor.values import (
        CardValue as CardValue,
        Change as Change,
        Fork as Fork,
        Solution as Solution,
        Solver as Solver,
        TrumpValues as TrumpValues,
        Values as Values,
        solve as solve,
    )
    from sgtmajor.view import View as View, read_view as read_view
    from sgtmajor.walk import Walk as Walk
    from sgtmajor.ways import Giving as Giving

_NAMES = {
    "advice": ("Effort",),
    "batch": ("solve_many",),
    "cards": ("BySeat", "Card", "Hand", "Seat", "Suit", "Trump"),
    "condition": ("Condition",),
    "deal": ("Deal", "Position"),
    "dealing": ("Setting", "Wanted", "random_records"),
    "engine": ("Bounds", "Listing", "Stats"),
    "equilibrium": ("Ties",),
    "errors": (
        "EnumerationFull",
        "InputError",
        "InputErrors",
        "Interrupted",
        "SearchStopped",
        "SgtMajorError",
        "SolverMemoryError",
    ),
    "gifts": ("Due", "Gift"),
    "giving": ("Exchange", "ExchangeOption", "exchange"),
    "kitty": ("ContractReport", "DiscardValue"),
    "knowledge": ("Fact", "Knowledge", "parse_holds", "parse_lacks"),
    "mistakes": ("Announcement", "PlayerReview", "Review", "ReviewedCard", "review"),
    "moment": ("Moment", "read_moment"),
    "play": ("Turn",),
    "recommend": ("Advice", "Option", "recommend_discard", "recommend_trump"),
    "recommend_gifts": ("ExchangeAdvice", "WayToGive", "recommend_exchange"),
    "recommend_play": ("CardAdvice", "CardOption", "recommend_card"),
    "record": ("BadRecord", "Record", "read_records"),
    "rules": ("PRESETS", "Rules"),
    "session": ("Debt", "Score", "ScoredDeal", "Session", "SessionDeal", "score"),
    "stats": ("Tally",),
    "tabular": ("to_frame",),
    "tasks": ("Outcome",),
    "trump": ("Analysis", "Progress", "analyze"),
    "values": ("CardValue", "Change", "Fork", "Solution", "Solver", "TrumpValues", "Values", "solve"),
    "view": ("View", "read_view"),
    "walk": ("Walk",),
    "ways": ("Giving",),
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
