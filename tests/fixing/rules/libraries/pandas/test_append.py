import pytest

from tests.fixing.rules.rewriting import assert_rewrites, assert_stays, cells, error, outcome

RULE = "pandas-append"
SETUP = "import pandas as pd\ndf = pd.read_csv('a')\nother = pd.read_csv('b')\ns = df['a']\n"


def test_what_is_given_a_name_is_a_row() -> None:
    row = "row = rows['a']\nrow.name = 'b'\n"
    assert_rewrites(
        RULE,
        f"{row}x = df.append(row)",
        f"{row}x = pd.concat([df, row.to_frame().T.infer_objects()])",
        f"{SETUP}rows = load()",
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = df.append(other)", "x = pd.concat([df, other])"),
        ("x = df.append(other, True)", "x = pd.concat([df, other], ignore_index=True)"),
        ("x = df.append(other, sort=False)  # c", "x = pd.concat([df, other], sort=False)  # c"),
        ("x = df.append([other, df])", "x = pd.concat([df, other, df])"),
        ("parts = [other]\nx = df.append(parts)", "parts = [other]\nx = pd.concat([df] + parts)"),
        (
            "rows = []\nrows.append({'a': 1})\nx = df.append(rows, ignore_index=True)",
            "rows = []\nrows.append({'a': 1})\n"
            "x = pd.concat([df, pd.DataFrame(rows)], ignore_index=True)",
        ),
        (
            "rows = [[i, 2] for i in x]\nx = df.append(rows)",
            "rows = [[i, 2] for i in x]\nx = pd.concat([df, pd.DataFrame(rows)])",
        ),
        ("x = s.append(other['a'])", "x = pd.concat([s, other['a']])"),
        (
            "x = df.append({'a': 1}, ignore_index=True)",
            "x = pd.concat([df, pd.DataFrame([{'a': 1}])], ignore_index=True)",
        ),
        (
            "x = df.append([{'a': 1}, {'a': 2}], ignore_index=True)",
            "x = pd.concat([df, pd.DataFrame([{'a': 1}, {'a': 2}])], ignore_index=True)",
        ),
        (
            "t = pd.DataFrame(columns=['a'])\nfor i in x:\n    t = t.append({'a': i}, True)",
            "t = pd.DataFrame(columns=['a'])\nfor i in x:\n"
            "    t = pd.concat([t, pd.DataFrame([{'a': i}])], ignore_index=True).infer_objects()",
        ),
        (
            "x = (df\n     .append(other)  # two\n     .head())",
            "x = (pd.concat([df, other])  # two\n     .head())",
        ),
    ],
)
def test_rows_are_put_together_with_concat(before: str, after: str) -> None:
    assert_rewrites(RULE, before, after, SETUP)


def test_pandas_is_called_by_the_name_the_notebook_gave_it() -> None:
    assert_rewrites(
        RULE,
        "x = d.append(d)",
        "x = p.concat([d, d])",
        "import pandas as p\nd = p.DataFrame()\n",
    )


@pytest.mark.parametrize(
    "source",
    [
        "rows = []\nrows.append(df)",
        "for x in things:\n    x.append(1)",
        "df.append(other)",
        "x = df['a'].values.append(1)",
        "text = 'df.append(other)'",
        "def f(df):\n    return df.append(3)\nf([1])",
        "x = df.append(row_or_table, ignore_index=True)",
        "x = df.append(*parts)",
        "row = table.iloc[0]\nx = df.append(row)",
        "best = table.loc[best_of(table), :]\nx = df.append(best)",
        "x = df.append(df.xs(3))",
        "for row in rows:\n    x = df.append(row)",
        "parts = [other]\nparts.append({'a': 1})\nx = df.append(parts)",
    ],
)
def test_other_appends_and_doubtful_ones_stay(source: str) -> None:
    assert_stays(RULE, source, SETUP)


def test_the_error_tells_what_the_code_does_not() -> None:
    seen = error("b", "AttributeError", "'DataFrame' object has no attribute 'append'", line=1)
    source = "x = mystery.append(other)\ny = mystery.append(other)"
    after = cells(SETUP, source, rules=(RULE,), errors=(seen,))[1]
    assert after == "x = pd.concat([mystery, other])\ny = mystery.append(other)"


def test_a_doubt_is_told() -> None:
    doubts = outcome(SETUP, "x = mystery.append(other)", rules=(RULE,)).doubts
    assert [doubt.why for doubt in doubts] == ["what `mystery` is cannot be told from the code"]
