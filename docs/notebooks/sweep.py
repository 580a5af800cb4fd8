# %% [markdown]
# # What is a leader worth, by terrain?
#
# A sweep in memory, a Polars frame, an Altair chart. `pip install lowcrawl polars altair`

# %%
import altair as alt
import lowcrawl
import polars as pl

leaders = ["7-0", "8-0", "8-1", "9-1", "9-2", "10-2", "10-3"]
study = lowcrawl.study(
    "rally",
    {"leader": leaders, "terrain": ["open", "woods", "stone"], "phases": range(1, 7)},
    stack="german:4-6-7/dm",
    hob=False,
)

# %%
rallied = (
    pl.DataFrame(study)
    .filter(pl.col("status") == "rallied", pl.col("phase") == pl.col("phases"))
    .group_by("leader", "terrain", "phases", maintain_order=True)
    .agg(pl.col("probability").sum())
)
rallied

# %%
chart = (
    alt.Chart(rallied)
    .mark_line(point=True)
    .encode(
        x="phases:O",
        y=alt.Y("probability:Q", axis=alt.Axis(format="%")),
        color=alt.Color("leader:N", sort=leaders),
        column="terrain:N",
    )
)
chart
