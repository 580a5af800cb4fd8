# %% [markdown]
# # The map of choices: Low Crawl, or run?
#
# The best first choice for a broken squad, by the enemy's firepower and the hexes he Interdicts, and by how much it is better
# than the next.

# %%
import lowcrawl
import polars as pl

cells = []
for fp in (2, 4, 6, 8, 12):
    for interdicted in (0, 1, 2, 3):
        campaign = {
            "kind": "campaign",
            "objective": "good-order",
            "unit": "german:4-6-7/dm",
            "open": 3,
            "interdicted": interdicted,
            "cover": "woods",
            "leader": "8-1",
            "fp": fp,
            "turns": 4,
        }
        best = lowcrawl.solve(campaign).headline
        cells.append({"fp": fp, "interdicted": interdicted, **best})

# %%
choices = pl.DataFrame(cells)
choices.pivot("fp", index="interdicted", values="choice")

# %%
margins = choices.pivot("fp", index="interdicted", values="margin")
margins

# %% [markdown]
# One cell in words, and as a picture:

# %%
answer = lowcrawl.solve(campaign)
answer
