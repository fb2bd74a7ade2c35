"""The command line: reads, calls one library function, prints. The rules of the game are not here."""
