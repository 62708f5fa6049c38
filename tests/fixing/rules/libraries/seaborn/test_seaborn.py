import pytest

from tests.fixing.rules.rewriting import assert_rewrites

SNS = "import seaborn as sns\n"


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        (
            "seaborn-factorplot",
            "sns.factorplot('a', 'b', data=d, size=4, aspect=2)",
            "sns.catplot(x='a', y='b', data=d, height=4, aspect=2, kind='point')",
        ),
        (
            "seaborn-factorplot",
            "sns.factorplot(x='a', data=d, kind='count')",
            "sns.catplot(x='a', data=d, kind='count')",
        ),
        (
            "seaborn-factorplot",
            "sns.factorplot('a', data=d, hue='t', size=10)",
            "sns.catplot(x='a', data=d, hue='t', height=10, kind='count')",
        ),
        (
            "seaborn-factorplot",
            "sns.factorplot('a', **options)",
            "sns.catplot(x='a', kind='point', **options)",
        ),
        (
            "seaborn-factorplot",
            "from seaborn import factorplot\nfactorplot('a', 'b', data=d)",
            "from seaborn import catplot\ncatplot(x='a', y='b', data=d, kind='point')",
        ),
        ("seaborn-factorplot", "other.factorplot('a')", "other.factorplot('a')"),
        ("seaborn-positional", "sns.countplot(d['a'])", "sns.countplot(x=d['a'])"),
        (
            "seaborn-positional",
            "sns.barplot('a', 'b', 'c', d)",
            "sns.barplot(x='a', y='b', hue='c', data=d)",
        ),
        (
            "seaborn-positional",
            "sns.kdeplot(a, b, shade=True)",
            "sns.kdeplot(x=a, y=b, shade=True)",
        ),
        ("seaborn-positional", "sns.kdeplot(a)", "sns.kdeplot(a)"),
        ("seaborn-positional", "sns.heatmap(a)", "sns.heatmap(a)"),
        ("seaborn-positional", "sns.boxplot(d['a'])", "sns.boxplot(x=d['a'])"),
        *(
            ("seaborn-positional", f"sns.{before}", f"sns.{after}")
            for before, after in (
                ("boxplot(d.a, orient='v')", "boxplot(y=d.a, orient='v')"),
                ("boxplot('a', data=d, orient='v')", "boxplot(y='a', data=d, orient='v')"),
                ("boxplot(d.a, orient='h')", "boxplot(x=d.a, orient='h')"),
                ("boxplot(d.a, d.b, orient='v')", "boxplot(x=d.a, y=d.b, orient='v')"),
                ("boxplot(d.a, orient=way)", "boxplot(d.a, orient=way)"),
                ("boxplot(d, orient='v')", "boxplot(d, orient='v')"),
                ("boxplot(d.a[d.b > 1])", "boxplot(x=d.a[d.b > 1])"),
            )
        ),
        *(
            ("seaborn-positional", f"sns.boxplot({table})", f"sns.boxplot({table})")
            for table in ("[[1, 2], [3]]", "d[d.a > 1]", "x[:, :2]", "x.values", "x.T", "d[:9]")
        ),
        *(
            ("seaborn-positional", code, code)
            for code in (
                "names = ['a', 'b']\nsns.boxplot(d[names])",
                "import pandas as pd\nd = pd.read_csv('a').copy()\nsns.boxplot(d)",
                "sns.boxplot(mystery.drop('a', axis=1), orient='h')",
                "import pandas as pd\nd = pd.read_csv('a')\nsns.boxplot(d[['a', 'b']])",
            )
        ),
        ("seaborn-positional", "sns.barplot(*args)", "sns.barplot(*args)"),
        ("seaborn-positional", "sns.distplot(a)", "sns.distplot(a)"),
        ("seaborn-size", "sns.pairplot(d, size=2)", "sns.pairplot(d, height=2)"),
        ("seaborn-size", "sns.scatterplot(x=a, size=b)", "sns.scatterplot(x=a, size=b)"),
    ],
)
def test_plots_keep_their_meaning(rule: str, before: str, after: str) -> None:
    assert_rewrites(rule, before, after, SNS)
