"""The odds of morale and rout in tactical board wargames.

    >>> import lowcrawl
    >>> rally = lowcrawl.rally("german:4-6-7/dm", leader="8-1", terrain="woods", hob=False)
    >>> rally.rows[0]["fraction"]
    '1/6'

This module has the questions of Advanced Squad Leader. The questions of the other games are in
`lowcrawl.fortitude` and `lowcrawl.reaction`.
"""

from . import asl, fortitude, reaction
from ._answer import (
    Answer,
    Picture,
    Study,
    ask,
    compare,
    describe,
    impact,
    rout,
    solve,
    study,
    trace,
    vary,
)
from ._faults import Fault, TooBig
from ._lowcrawl import __version__
from .asl import *  # noqa: F403
from .asl import __all__ as _asl

__all__ = [  # noqa: PLE0604
    "Answer",
    "Fault",
    "Picture",
    "Study",
    "TooBig",
    "__version__",
    "asl",
    "ask",
    "compare",
    "describe",
    "fortitude",
    "impact",
    "reaction",
    "rout",
    "solve",
    "study",
    "trace",
    "vary",
    *_asl,
]
