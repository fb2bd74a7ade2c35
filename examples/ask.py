"""The questions of the command line, asked from Python."""

import sgtmajor

ENDING = "D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L"
DEAL = "D:AK.5.3. QT.A..2 J9.K.Q. K:...A rules=classic,targets=2-1-1"

record = sgtmajor.Record.parse(ENDING)
with sgtmajor.Solver(memory_mb=16) as solver:
    values = solver.solve(record.position)
    print("guaranteed", values.guaranteed.to_dict(), "share of L", round(values.share["L"], 2))
    for choice in solver.cards(record.position):
        cards = " = ".join(map(str, (choice.card, *choice.equals)))
        print(f"  {cards}: L is sure of {choice.values.guaranteed['L']}")
    print("one best line:", " ".join(map(str, solver.line(record.position))))

analysis = sgtmajor.analyze(DEAL, by="share")
best = analysis.best
print(f"{analysis.rules.announcer} names {best.trump}, lays aside {', '.join(map(str, best.best.discard))}")

found = sgtmajor.exchange(f"{DEAL} up=D:+1,L:-1,R:0", alternatives=0)
gifts = ", ".join(map(str, found.options[0].giving.gifts))
print(f"{found.seat} best gives {gifts} of {found.distinct} ways that make a difference")

session = sgtmajor.score("players=Ann,Ben,Cat\ndealer=Ann tricks=9,4,3\ndealer=Ben tricks=6,6,4")
print(f"{session.winner} wins, decided by {session.decided_by}; {session.next_dealer} deals next")
