# %% [markdown]
# # Are my dice bad?
#
# Given the Original DR of a game, how much more likely is it that the dice are loaded than that they are fair? Of loaded dice
# nothing is known but that each sum has a chance of its own: a Dirichlet prior around the fair chances, as strong as `weight`
# rolls. Its evidence against that of fair dice is the Bayes factor.

# %%
from fractions import Fraction
from math import exp, lgamma, log

import lowcrawl
import polars as pl

rolls = [9, 8, 11, 7, 10, 6, 12, 8, 9, 5, 10, 11, 7, 9, 8, 10, 4, 9, 11, 8, 7, 10, 9, 12, 6, 8]

# %% [markdown]
# The fair chances come from the rules themselves: a 4-6-7 with a Morale Level of 7 passes a Normal MC on 7 or less, and one DRM more
# moves that by one.


# %%
def passes(mc: int) -> Fraction:
    rows = lowcrawl.check("german:4-6-7", mc=mc, hob=False).rows
    held = (Fraction(row["fraction"]) for row in rows if row["status"] in ("good-order", "pinned"))
    return sum(held, Fraction(0))


at_most = {7 - mc: passes(mc) for mc in range(0, 6)}
fair = {total: Fraction(6 - abs(7 - total), 36) for total in range(2, 13)}
assert all(at_most[n] == sum(fair[total] for total in range(2, n + 1)) for n in at_most)


# %%
def bayes_factor(rolls: list[int], weight: float = 36.0) -> float:
    """How much more likely the rolls are with loaded dice than with fair ones."""
    seen = {total: rolls.count(total) for total in fair}
    prior = {total: float(weight * chance) for total, chance in fair.items()}
    loaded = lgamma(weight) - lgamma(weight + len(rolls))
    loaded += sum(lgamma(prior[total] + n) - lgamma(prior[total]) for total, n in seen.items())
    return exp(loaded - sum(n * log(fair[total]) for total, n in seen.items()))


factor = bayes_factor(rolls)
mean = sum(rolls) / len(rolls)
print(f"mean {mean:.2f}, fair 7; loaded against fair {factor:.2f} to 1")

# %%
pl.DataFrame(
    {
        "total": list(fair),
        "seen": [rolls.count(total) for total in fair],
        "expected": [float(len(rolls) * chance) for chance in fair.values()],
    }
)

# %% [markdown]
# And from the first roll on: a leader who has rolled a 9 under a 1MC, and what becomes of his stack.

# %%
after = lowcrawl.check("9-1 + 2x german:4-6-7", mc=1, given="6,3", hob=False)
after
