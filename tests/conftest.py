"""Puts the helpers of this folder on the path of the tests in the folders below it, too; lets Ctrl-C work."""

import signal

# Started in the background, a shell has Ctrl-C ignored, and programs that the tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
