from __future__ import annotations

import base64
import io
import struct
import time
import zlib
from typing import Any

import pytest
from PIL import Image, ImageDraw

from mle_modernizer_server.diagnosis.saved_outputs import compare_outputs
from mle_modernizer_server.diagnosis.saved_outputs.texts import LONGEST
from mle_modernizer_server.domain.notebook import CellAgreement, DifferenceKind, OutputMatch


def printed(text: str, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def returned(plain: str, **more: str) -> dict[str, Any]:
    return {"output_type": "execute_result", "data": {"text/plain": plain, **more}}


def failed(ename: str, evalue: str = "") -> dict[str, Any]:
    return {"output_type": "error", "ename": ename, "evalue": evalue, "traceback": []}


def compare(saved: list[dict[str, Any]], fresh: list[dict[str, Any]]) -> CellAgreement:
    unsuccessful = frozenset({"a"} if any(one["output_type"] == "error" for one in fresh) else ())
    (cell,) = compare_outputs([("a", saved)], {"a": fresh}, unsuccessful).cells
    return cell


SAME = [
    (
        "Series name: a\nNon-Null Count  Dtype \n9 non-null  object\ndtypes: object(1)\n"
        "memory usage: 376.7+ KB\n",
        "Series name: a\nNon-Null Count  Dtype \n9 non-null  str\ndtypes: str(1)\n"
        "memory usage: 1.2 MB\n",
    ),
    (
        "<2x3 sparse matrix of type '<class 'numpy.int64'>'\n"
        "\twith 4 stored elements in Compressed Sparse Row format>",
        "<Compressed Sparse Row sparse matrix of dtype 'int64'\n"
        "\twith 4 stored elements and shape (2, 3)>",
    ),
    (
        "  (0, 1)\t1\n  (1, 2)\t3\n",
        "<Compressed Sparse Row sparse matrix of dtype 'int64'\n"
        "\twith 2 stored elements and shape (2, 3)>\n  Coords\tValues\n  (0, 1)\t1\n  (1, 2)\t3\n",
    ),
    ("an F1 score of 0.8664.\n", "an F1 score of 0.86643.\n"),
    ("[1. 0. 250.]\n", "[1.0, 0.0, 250.0]\n"),
    ("AUC: 0.8123\n", "AUC: 0.81229\n"),
    ("0.81234567\n", "np.float64(0.81234567)\n"),
    ("True\n", "np.True_\n"),
    ("[u'\\xe8n', u'\\u0431']\n", "['èn', 'б']\n"),
    ("(True, False)\n", "(np.True_, np.False_)\n"),
    ("('a', 10L, u'b')\n", "('a', 10, 'b')\n"),
    ("pandas: 0.23.4, 3 rows\n", "pandas: 3.1.1, 3 rows\n"),
    ("coef  [95.0% Conf. Int.]\nx  1.5  0.7 2.3\n", "coef  [0.025   0.975]\nx  1.5  0.7 2.3\n"),
    ("array([0.1, ..., 0.2])\n", "array([0.1, ..., 0.2], shape=(1860,))\n"),
    ("CPU times: user 3 s, sys: 1 s\nWall time: 4 s\n12\n", "12\n"),
    (
        "<__main__.Net object at 0x7f001a2b3c4d>\n7\n",
        "<__main__.Net object at 0x7fffffff0000>\n7\n",
    ),
    ("50%|#####     | 5/10\rdone 3\n", "done 3\n"),
    ("Parse progress: |████████| 100%\n3 rows\n", "Parse progress: |██| (done) 100%\n3 rows\n"),
    ("/usr/lib/python2.7/x.py:3: FutureWarning: old\n  call()\nscore 5\n", "score 5\n"),
    ("2019-03-04 10:11:12 start\n3 rows\n", "2026-11-22 01:02:03 start\n3 rows\n"),
    ("Training time (secs): 0.608\n3 rows\n", "Training time (secs): 0.004\n3 rows\n"),
    ("It took 3.2 s\n3 rows\n", "It took 0.1 s\n3 rows\n"),
    ("[Parallel(n_jobs=1)]: Done  49 tasks | elapsed:    1.2s\n3 rows\n", "3 rows\n"),
    ("Ridge(alpha=1.0, copy_X=True)\n4\n", "Ridge()\n4\n"),
    ("Name: x, dtype: object\n", "Name: x, dtype: str\n"),
    ("[[1 2]\n [3 4]]\n", "[[1, 2], [3, 4]]\n"),
    ("Int64Index([0, 1], dtype='int64')\n", "Index([0, 1], dtype='int64')\n"),
    ("Int64Index: 392 entries, 0 to 396\n", "Index: 392 entries, 0 to 396\n"),
    ("Int64Index: 392 entries, 0 to 391\n", "RangeIndex: 392 entries, 0 to 391\n"),
    ("a    3\nb    2\nName: x, dtype: int64\n", "x\na    3\nb    2\nName: count, dtype: int64\n"),
    ("a    3\nb    2\ndtype: int64\n", "a    3\nb    2\nName: count, dtype: int64\n"),
    ("Timestamp('2012-01-01 00:00:00', freq='D')\n", "Timestamp('2012-01-01 00:00:00')\n"),
    ("day    datetime64[ns]\n", "day    datetime64[us]\n"),
    ("dtype('O')\n", "<StringDtype(na_value=nan)>\n"),
    ("pandas.core.frame.DataFrame\n", "pandas.DataFrame\n"),
    ("(pandas.core.frame.DataFrame,    a\n 0  5)\n", "(pandas.DataFrame,\n    a\n 0  5)\n"),
    ("[int, pandas.core.series.Series]\n", "[int, pandas.Series]\n"),
    ("<type 'unicode'>\n", "<class 'str'>\n"),
    ("set([1, 2])\n", "{2, 1}\n"),
    ("dict_keys(['a'])\n", "['a']\n"),
    ("{'b': 1, 'a': 2}\n", "{'a': 2, 'b': 1}\n"),
    ("{'b': 1, 'a': 2}\n1.5\n", "{'a': 2, 'b': 1}\n1.5\n"),
    ("Using matplotlib backend: MacOSX\n7\n", "7\n"),
    (
        "<bound method GroupBy.mean of <pandas.core.groupby.DataFrameGroupBy object at 0x02a8>>\n",
        "<bound method DataFrameGroupBy.mean of <pandas.api.typing.DataFrameGroupBy object>>\n",
    ),
    (
        "<bound method DataFrame.head of    a\n0  1>\n",
        "<bound method NDFrame.head of    a\n0  1>\n",
    ),
    ("array([ True, False], dtype=bool)\n", "array([ True, False])\n"),
    ("0    1\n1    NaN\n2    None\n", "0    1\n1    nan\n2    NaN\n"),
    (
        "Categories (2, object): [(0, 1] < (1, 2]]\n",
        "Categories (2, interval[float64, right]): [(0, 1] < (1, 2]]\n",
    ),
    (
        "Ttest_indResult(statistic=-1.9, pvalue=0.05)\n",
        "TtestResult(statistic=np.float64(-1.9), pvalue=np.float64(0.05), df=np.float64(12.0))\n",
    ),
    ("Pipeline(steps=[('svc', SVC(C=3.0, tol=0.1))])\n", "Pipeline(steps=[('svc', SVC(C=3.0))])\n"),
    ("(10%) -2.5\n(1%) -3.4\nfloat64\n", "(1%) -3.4\n(10%) -2.5\nfloat64\n"),
    ("0 1 0\n1 0 1\n", "0 True False\n1 False True\n"),
    ("['a' 'b']\n", "<StringArray>\n['a', 'b']\nLength: 2, dtype: str\n"),
    ("array(['a', 'b'], dtype=object)\n", "<StringArray>\n['a', 'b']\nLength: 2, dtype: str\n"),
    ("array(['a', 'b'],\n      dtype='|S1')\n", "array(['a', 'b'], dtype='<U1')\n"),
    (
        "  precision  recall  f1-score  support\n 0  0.50  0.40  0.44  5\n"
        "avg / total   0.50  0.40  0.44  5\n",
        "  precision  recall  f1-score  support\n 0  0.50  0.40  0.44  5\n"
        "    accuracy   0.40  5\n   macro avg   0.50  0.41  0.45  5\n"
        "weighted avg   0.50  0.40  0.44  5\n",
    ),
]


@pytest.mark.parametrize(("saved", "fresh"), SAME)
def test_what_differs_from_run_to_run_does_not_count(saved: str, fresh: str) -> None:
    assert compare([printed(saved)], [printed(fresh)]).match is OutputMatch.SAME


@pytest.mark.parametrize(
    ("saved", "fresh"),
    [
        ("RangeIndex(start=0, stop=891, step=1)", "RangeIndex(start=0, stop=5, step=1)"),
        ("TtestResult(statistic=-1.9, pvalue=0.05)", "TtestResult(statistic=8.9, pvalue=0.9)"),
        ("Tree(max_depth=3, presort=False)", "Tree(max_depth=7)"),
        ("Point(x=1, y=2)", "Point(x=5, y=2)"),
        ("x\na    3\nName: count, dtype: int64", "x\na    7\nName: count, dtype: int64"),
        ("Timestamp('2012-01-01 00:00:00')", "Timestamp('2013-05-01 00:00:00')"),
        ("<type 'int'>", "<class 'str'>"),
        ("{'b': 1, 'a': 2}", "{'a': 9, 'b': 1}"),
        ("(891, 12)", "(891, 13)"),
    ],
)
def test_a_value_counts_in_whatever_form_it_is_shown(saved: str, fresh: str) -> None:
    assert compare([returned(saved)], [returned(fresh)]).match is OutputMatch.DIFFERENT


def test_a_date_with_a_time_counts_in_a_table() -> None:
    one, other = (
        [returned("", **{"text/html": table(row(0, f"{year}-05-01 10:00:00"))})]
        for year in (2012, 2013)
    )
    assert compare(one, one).match is OutputMatch.SAME
    assert compare(one, other).match is not OutputMatch.SAME


def test_what_differs_in_a_report_or_an_array_counts() -> None:
    head = "  precision  recall  f1-score  support\n"
    then = [printed(f"{head} 0  0.50  0.40  0.44  5\navg / total   0.50  0.40  0.44  5\n")]
    now = [printed(f"{head} 0  0.50  0.40  0.44  5\nweighted avg   0.90  0.40  0.44  5\n")]
    assert compare(then, now).match is OutputMatch.DIFFERENT
    then = [printed("['a' 'b']\n")]
    now = [printed("<StringArray>\n['a', 'c']\nLength: 2, dtype: str\n")]
    assert compare(then, now).match is OutputMatch.DIFFERENT
    then, now = [printed("0 1 0\n1 0 1\n")], [printed("0 True False\n1 True True\n")]
    assert compare(then, now).match is OutputMatch.DIFFERENT
    then, now = [printed("a 1\nb 2\n")], [printed("a 2\nb 1\n")]
    assert compare(then, now).match is OutputMatch.DIFFERENT, "lines, and not their parts"
    ranking = [printed("age 9\nfare 5\nsex 5\nclass 1\n")]
    tied = [printed("age 9\nsex 5\nfare 5\nclass 1\n")]
    turned = [printed("class 1\nsex 5\nfare 5\nage 9\n")]
    assert compare(ranking, tied).match is OutputMatch.SAME
    assert compare(ranking, turned).match is OutputMatch.DIFFERENT
    of_python2 = [printed("10% -2.5\n1% -3.4\n5% -2.8\n")]
    assert compare(of_python2, [printed("1% -3.4\n5% -2.8\n10% -2.5\n")]).match is OutputMatch.SAME
    assert compare([returned("array([1, 2])")], [returned("array([1, 3])")]).match not in (
        OutputMatch.SAME,
        OutputMatch.NOT_COMPARED,
    )


def test_numbers_are_close_within_the_threshold_only() -> None:
    close = compare([printed("loss 0.500\nn 10\n")], [printed("loss 0.520\nn 10\n")])
    assert close.match is OutputMatch.CLOSE
    assert close.difference is not None
    assert (close.difference.kind, close.difference.line) == (DifferenceKind.NUMBER, 1)
    assert (close.difference.saved, close.difference.fresh) == ("loss 0.500", "loss 0.520")
    assert compare([printed("0.5")], [printed("0.9")]).match is OutputMatch.DIFFERENT


@pytest.mark.parametrize(
    ("saved", "fresh", "match"),
    [
        ("0.783", "0.784", OutputMatch.SAME),
        ("0.8", "0.7834", OutputMatch.SAME),
        ("0.78", "0.79", OutputMatch.CLOSE),
        ("0.1", "0.2", OutputMatch.CLOSE),
        ("0.00", "0.01", OutputMatch.CLOSE),
        ("0.1", "0.3", OutputMatch.DIFFERENT),
    ],
)
def test_last_digit_may_be_rounding_if_it_is_small(
    saved: str, fresh: str, match: OutputMatch
) -> None:
    assert compare([printed(saved)], [printed(fresh)]).match is match


@pytest.mark.parametrize(
    ("saved", "fresh"),
    [
        ("best year 2015", "best year 2016"),
        ("100 rows", "101 rows"),
        ("(1000, 12)", "(1001, 12)"),
        ("[[50 2]\n [3 45]]", "[[49 3]\n [3 45]]"),
        ("year 2015.0", "year 2016.0"),
        ("1,234,567 rows", "1,234,568 rows"),
    ],
)
def test_another_whole_number_is_different(saved: str, fresh: str) -> None:
    assert compare([printed(saved)], [printed(fresh)]).match is OutputMatch.DIFFERENT
    (one,), (other,) = (tuple(text.split("\n")[:1]) for text in (saved, fresh))
    tables = (f"<table><tr><td>{text}</td></tr></table>" for text in (one, other))
    then, now = ([returned("", **{"text/html": table})] for table in tables)
    assert compare(then, now).match is OutputMatch.DIFFERENT


@pytest.mark.parametrize(
    ("saved", "fresh"),
    [
        ("1.23e+08", "1.30e+08"),  # rounded: no whole numbers
        ("9.1e-05", "9.3e-05"),
        ("RMSE 70.0", "RMSE 74.2"),
    ],
)
def test_a_rounded_number_within_the_threshold_is_close(saved: str, fresh: str) -> None:
    assert compare([printed(saved)], [printed(fresh)]).match is OutputMatch.CLOSE


@pytest.mark.parametrize(
    "line",
    [
        "accuracy after {} seconds: {}",
        "accuracy {1} (elapsed: {0})",
        "Time taken: {} s, accuracy {}",
        "Time taken: 0:00:{} accuracy={}",
        "training took {} with a score of {}",
        "score {1}, {0} elapsed",
        "duration {}, score {}",
        "score {1} in 2 minutes {0} seconds",
        "time (s): {}  auc: {}",
        "--- {} seconds --- {}",
    ],
)
def test_a_duration_is_masked_and_its_score_compared(line: str) -> None:
    saved = [printed(line.format(30, 0.91))]
    assert compare(saved, [printed(line.format(12, 0.91))]).match is OutputMatch.SAME
    assert compare(saved, [printed(line.format(30, 0.11))]).match is OutputMatch.DIFFERENT
    assert compare(saved, [printed(line.format(12, 0.92))]).match is OutputMatch.CLOSE
    assert compare(saved, [printed(line.format(12, 0.95))]).match is OutputMatch.CLOSE


def test_a_row_named_duration_is_compared() -> None:
    saved = "duration  45211.0  258.16  257.52\n"
    found = compare([printed(saved)], [printed(saved.replace("258.16", "512.16"))])
    assert found.match is OutputMatch.DIFFERENT


def test_other_words_and_a_missing_end_are_different() -> None:
    other = compare([printed("cat\n")], [printed("dog\n")])
    assert other.difference is not None
    assert other.difference.kind is DifferenceKind.TEXT
    shorter = compare([printed("1 2 3\n4\n")], [printed("1 2 3\n")])
    assert shorter.difference is not None
    assert (shorter.difference.kind, shorter.difference.saved) == (DifferenceKind.LENGTH, "4")
    assert compare([printed("12\n")], []).match is OutputMatch.MISSING


def table(rows: str, note: str = "") -> str:
    return f"<table><thead><tr><th></th><th>age</th></tr></thead>{rows}</table><p>{note}</p>"


def row(index: int, age: object) -> str:
    return f"<tr><th>{index}</th><td>{age}</td></tr>"


@pytest.mark.parametrize(
    ("fresh", "kind", "line"),
    [
        (table(row(0, 22) + row(1, 99), "2 rows × 1 columns"), DifferenceKind.TABLE_VALUE, 2),
        (table(row(0, 22), "1 rows × 1 columns"), DifferenceKind.TABLE_SHAPE, None),
        (
            table(row(0, 22) + row(1, 38), "2 rows × 1 columns").replace("age", "Age"),
            DifferenceKind.TABLE_COLUMNS,
            None,
        ),
    ],
)
def test_tables_are_compared_by_shape_columns_and_values(
    fresh: str, kind: DifferenceKind, line: int | None
) -> None:
    saved = returned("", **{"text/html": table(row(0, 22) + row(1, 38), "2 rows × 1 columns")})
    same = compare([saved], [returned("another layout", **saved["data"])])
    assert same.match is OutputMatch.SAME
    cell = compare([saved], [returned("", **{"text/html": fresh})])
    assert cell.match is OutputMatch.DIFFERENT
    assert cell.difference is not None
    assert (cell.difference.kind, cell.difference.line) == (kind, line)


def test_new_name_of_an_index_is_ignored_changed_name_is_not() -> None:
    def indexed(name: str) -> list[dict[str, Any]]:
        names = f"<tr><th>{name}</th><th></th></tr>" if name else ""
        return [returned("", **{"text/html": table(names + row(0, 3) + row(1, 4))})]

    assert compare(indexed(""), indexed("Title")).match is OutputMatch.SAME
    assert compare(indexed("Title"), indexed("")).match is OutputMatch.SAME
    assert compare(indexed("Title"), indexed("Sex")).match is OutputMatch.DIFFERENT


def test_what_pip_says_is_not_compared() -> None:
    said = "Collecting textblob\n  Downloading https://files.example/textblob.whl (636kB)\n"
    said += (
        "\x1b[K    100% |████████| 6.2MB 154kB/s ta 0:00:01    81% |██████  | 5.0MB eta 0:00:01\n"
    )
    said += "\x1b[?25hRequirement already satisfied: six in c:\\lib (1.15.0)\n"
    said += "Installing collected packages"
    assert compare([printed(said)], []).match is OutputMatch.NOT_COMPARED


def test_a_value_of_a_table_is_a_number_however_it_is_written() -> None:
    saved = returned("", **{"text/html": table(row(0, "22.0"))})
    assert compare([saved], [returned("", **{"text/html": table(row(0, 22))})]).match is (
        OutputMatch.SAME
    )


def test_set_of_python_2_is_one_of_numpys_numbers() -> None:
    then, now = "set([0, 1, 2])", "{np.int64(0), np.int64(2), np.int64(1)}"
    assert compare([returned(then)], [returned(now)]).match is OutputMatch.SAME
    assert compare([returned(then)], [returned("{np.int64(0)}")]).match is OutputMatch.DIFFERENT


def test_the_order_of_ties_in_a_sorted_table_does_not_count() -> None:
    def drinks(*rows: tuple[int, str, int]) -> list[dict[str, Any]]:
        head = "<tr><th></th><th>name</th><th>cluster</th></tr>"
        body = "".join(
            f"<tr><th>{at}</th><td>{name}</td><td>{group}</td></tr>" for at, name, group in rows
        )
        return [returned("", **{"text/html": f"<table>{head}{body}</table>"})]

    saved = drinks((4, "kirin", 0), (9, "coors", 1), (2, "hamms", 1))
    ties = drinks((4, "kirin", 0), (2, "hamms", 1), (9, "coors", 1))
    assert compare(saved, ties).match is OutputMatch.SAME
    other_group = drinks((4, "kirin", 0), (2, "hamms", 0), (9, "coors", 1))
    assert compare(saved, other_group).match is OutputMatch.DIFFERENT
    unsorted = drinks((9, "coors", 1), (4, "kirin", 0), (2, "hamms", 1))
    assert compare(saved, unsorted).match is OutputMatch.DIFFERENT
    numbered = drinks((4, "kirin", 0), (9, "hamms", 1), (2, "coors", 1))
    assert compare(saved, numbered).match is OutputMatch.DIFFERENT


def test_what_only_names_an_object_is_not_compared() -> None:
    saved = returned("<matplotlib.axes._subplots.AxesSubplot at 0x7f8>")
    assert compare([saved], [returned("<Axes: xlabel='x'>")]).match is OutputMatch.NOT_COMPARED


OLD_INFO = """\
<class 'pandas.core.frame.DataFrame'>
RangeIndex: 891 entries, 0 to 890
Data columns (total 3 columns):
Age                  714 non-null float64
Daily Time Spent     891 non-null object
0                    891 non-null int64
dtypes: float64(1), int64(1), object(1)
memory usage: 83.6+ KB
"""
NEW_INFO = """\
<class 'pandas.core.frame.DataFrame'>
RangeIndex: 891 entries, 0 to 890
Data columns (total 3 columns):
 #   Column            Non-Null Count  Dtype
---  ------            --------------  -----
 0   Age               714 non-null    float64
 1   Daily Time Spent  891 non-null    str
 2   0                 891 non-null    int64
dtypes: float64(1), int64(1), str(1)
memory usage: 21.0 KB
"""


def test_the_version_of_a_library_is_not_compared() -> None:
    assert compare([returned("'1.11.3'")], [returned("'2.4.6'")]).match is OutputMatch.NOT_COMPARED
    assert compare([printed("12.03.2015")], [printed("13.03.2015")]).match is OutputMatch.DIFFERENT


def test_description_of_a_table_is_ignored_its_facts_are_not() -> None:
    assert compare([printed(OLD_INFO)], [printed(NEW_INFO)]).match is OutputMatch.SAME
    fewer = NEW_INFO.replace("714 non-null", "710 non-null")
    assert compare([printed(OLD_INFO)], [printed(fewer)]).match is not OutputMatch.SAME
    other = NEW_INFO.replace("Daily Time", "Weekly Time")
    assert compare([printed(OLD_INFO)], [printed(other)]).match is OutputMatch.DIFFERENT


def test_order_of_columns_is_ignored_contents_are_not() -> None:
    def frame(*names: str, rows: tuple[dict[str, str], ...]) -> dict[str, Any]:
        head = "".join(f"<th>{name}</th>" for name in ("", *names))
        body = "".join(
            f"<tr><th>{at}</th>{''.join(f'<td>{row[name]}</td>' for name in names)}</tr>"
            for at, row in enumerate(rows)
        )
        return returned("", **{"text/html": f"<table><tr>{head}</tr>{body}</table>"})

    rows = ({"age": "3", "name": "a"}, {"age": "4", "name": "b"})
    saved = frame("age", "name", rows=rows)
    assert compare([saved], [frame("name", "age", rows=rows)]).match is OutputMatch.SAME
    one = ({"amax": "3", "max": "3", "min": "3"},)
    largest = frame("amax", rows=one)
    assert compare([largest], [frame("max", rows=one)]).match is OutputMatch.SAME
    assert compare([largest], [frame("min", rows=one)]).match is OutputMatch.DIFFERENT
    swapped = ({"age": "4", "name": "a"}, {"age": "3", "name": "b"})
    assert compare([saved], [frame("name", "age", rows=swapped)]).match is OutputMatch.DIFFERENT


def test_of_an_estimator_only_the_class_counts() -> None:
    saved = [returned("RandomForestClassifier(bootstrap=True, max_depth=None)")]
    assert compare(saved, [returned("RandomForestClassifier()")]).match is OutputMatch.SAME
    assert compare(saved, [returned("ExtraTreesClassifier()")]).match is OutputMatch.DIFFERENT
    saved = [returned("DBSCAN(algorithm='auto', eps=1, p=None,\n    random_state=None)")]
    assert compare(saved, [returned("DBSCAN(eps=1)")]).match is OutputMatch.SAME
    assert compare(saved, [returned("OPTICS()")]).match is OutputMatch.DIFFERENT
    errors = [returned("MAE(train=3)")], [returned("MAE(train=7)")]
    assert compare(*errors).match is OutputMatch.DIFFERENT


def test_errors_of_then_and_now() -> None:
    assert compare([failed("KeyError")], [failed("KeyError")]).match is OutputMatch.SAME
    for then, now in (
        ("could not convert string to float: -", "could not convert string to float: '-'"),
        ("Length of values does not match", "Length of values (4) does not match"),
    ):
        assert compare([failed("E", then)], [failed("E", now)]).match is OutputMatch.SAME
    assert compare([failed("KeyError")], [printed("1")]).match is OutputMatch.NOT_COMPARED
    now = compare([printed("1")], [failed("AttributeError")])
    assert now.match is OutputMatch.FAILED
    figure = {"output_type": "display_data", "data": {"image/png": "", "text/plain": "<Figure>"}}
    plot = compare([figure], [failed("AttributeError")])
    assert plot.match is OutputMatch.NOT_COMPARED, "what is compared does not depend on the run"
    assert now.difference is not None
    assert now.difference.fresh == "AttributeError"


@pytest.mark.parametrize(
    ("then", "now", "same"),
    [
        ("name 'x' is not defined", "name 'x' is not defined", True),
        ("name 'x' is not defined", "name 'y' is not defined", False),
        ("invalid syntax (<ipython-input-3-1a2b>, line 1)", "invalid syntax (77.py, line 1)", True),
        ("no <Net object at 0x7f00a1>", "no <Net object at 0x55ff>", True),
        ("[Errno 2] No file: '/home/a/x.csv'", "[Errno 2] No file: 'C:\\data\\x.csv'", True),
        ("[Errno 2] No file: 'data/x.csv'", "[Errno 2] No file: 'data/y.csv'", False),
        ("a" * 2_000_000, "a" * 1_999_999 + "/", True),
    ],
)
def test_an_error_is_the_same_if_it_says_the_same(then: str, now: str, same: bool) -> None:
    cell = compare([failed("E", then)], [failed("E", now)])
    assert cell.match is (OutputMatch.SAME if same else OutputMatch.FAILED)
    if cell.difference is not None:
        assert cell.difference.saved.startswith("E: ")


def test_close_outputs_are_counted_apart_from_the_same() -> None:
    saved = [(name, [printed("auc 0.912")]) for name in "abc"]
    fresh = {"a": [printed("auc 0.912")], "b": [printed("auc 0.903")], "c": [printed("auc 0.1")]}
    agreement = compare_outputs(saved, fresh)
    assert (agreement.agreeing, agreement.close, agreement.compared) == (1, 1, 3)
    first = agreement.first_difference()
    assert first is not None and first.cell_id == "c"
    only_close = compare_outputs(saved[:2], fresh).first_difference()
    assert only_close is not None and only_close.cell_id == "b"


def test_a_run_is_summed_up_and_its_first_difference_named() -> None:
    saved = [("a", [printed("1")]), ("b", []), ("c", [printed("2")]), ("d", [printed("x")])]
    fresh = {"a": [printed("1")], "c": [printed("9")], "d": [printed("x")]}
    agreement = compare_outputs(saved, fresh)
    assert (agreement.agreeing, agreement.close, agreement.compared) == (2, 0, 3)
    first = agreement.first_difference()
    assert first is not None
    assert (first.cell_id, first.ordinal) == ("c", 3)


def picture(shift: int) -> str:
    image = Image.new("L", (64, 64), 255)
    ImageDraw.Draw(image).line((shift, 63, 63, shift), fill=0, width=5)
    content = io.BytesIO()
    image.save(content, "PNG")
    return base64.b64encode(content.getvalue()).decode()


def test_how_much_a_sparse_matrix_stores_counts() -> None:
    then = "<2x3 sparse matrix of type '<type 'numpy.int64'>'\n\twith 4 stored elements in COO>"
    now = "<COOrdinate sparse matrix of dtype 'int64'\n\twith {} stored elements and shape {}>"
    for stored, shape, match in (
        (4, "(2, 3)", OutputMatch.SAME),
        (5, "(2, 3)", OutputMatch.DIFFERENT),
        (4, "(9, 3)", OutputMatch.DIFFERENT),
    ):
        found = compare([returned(then)], [returned(now.format(stored, shape))])
        assert found.match is match


def test_pictures_are_a_hint_and_damaged_ones_none() -> None:
    def drawn(content: str) -> list[dict[str, Any]]:
        return [
            {"output_type": "display_data", "data": {"image/png": content, "text/plain": "<F>"}}
        ]

    same = compare(drawn(picture(0)), drawn(picture(0)))
    assert (same.match, same.picture_likeness) == (OutputMatch.NOT_COMPARED, 1.0)
    other = compare(drawn(picture(0)), drawn(picture(40)))
    assert other.picture_likeness is not None
    assert other.picture_likeness < 1.0
    assert compare(drawn("bm90IGEgcGljdHVyZQ=="), drawn(picture(0))).picture_likeness is None


@pytest.mark.parametrize(
    ("then", "now", "match"),
    [
        ("0.91", "0.51", OutputMatch.DIFFERENT),
        ("0.91", "np.float64(0.91)", OutputMatch.SAME),
        ("0    4\nName: x, dtype: int64", "0    3\nName: x, dtype: int64", OutputMatch.DIFFERENT),
        ("Text(0.5, 1.0, 'then')", "Text(0.5, 0, 'now')", OutputMatch.NOT_COMPARED),
        ("(0, 10)", "(np.float64(-1.0), np.float64(9.0))", OutputMatch.NOT_COMPARED),
        ("[3, 5]", "[3, 6]", OutputMatch.NOT_COMPARED),
        (
            "a    Axes(0.1,0.1;0.7x0.7)\ndtype: object",
            "a    Axes(1,2;3x4)",
            OutputMatch.NOT_COMPARED,
        ),
    ],
)
def test_result_with_a_picture_counts_unless_it_is_of_the_plot(
    then: str, now: str, match: OutputMatch
) -> None:
    figure = {"output_type": "display_data", "data": {"image/png": "", "text/plain": "<Figure>"}}
    assert compare([returned(then), figure], [returned(now), figure]).match is match
    if match is OutputMatch.NOT_COMPARED:
        assert compare([returned(then)], [returned(now), figure]).match is match


@pytest.mark.parametrize("side", [6_000, 20_000])
def test_a_picture_too_large_to_be_opened_is_no_hint(side: int) -> None:
    header = b"IHDR" + struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    chunk = struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    huge = base64.b64encode(b"\x89PNG\r\n\x1a\n" + chunk + b"\0\0\1\0IDAT").decode()
    given = [{"output_type": "display_data", "data": {"image/png": huge}}]
    assert compare(given, given).picture_likeness is None


@pytest.mark.parametrize(
    "text",
    [
        *("(" * 100_000, "Aa(" * 60_000, "<" * 200_000, "1e999999999", "\x1b[" * 50_000),
        *(
            "0." * 90_000,
            "A" * 200_000,
            "a." * 100_000,
            "Ab(c=" * 40_000,
            "AResult(b=" * 20_000,
            "int(" * 50_000,
        ),
        *("1 " * 100_000, "[" + "=" * 200_000, "/" * 200_000 + ".py", " " * 200_000),
        *("a \\\n\n" * 50_000, " \\\n" * 90_000, "  a \\\n0 1\n\n" * 40_000),
    ],
)
def test_hostile_texts_take_no_time(text: str) -> None:
    began = time.process_time()
    cell = compare([printed(text + " 1")], [printed(text + " 1")])
    assert cell.match in (OutputMatch.SAME, OutputMatch.NOT_COMPARED)
    assert time.process_time() - began < 15


def _long_table(shown: tuple[int, ...], values: dict[int, str] | None = None) -> dict[str, Any]:
    """A table of 891 rows of which some are shown, with a gap after the first half of them."""
    half = len(shown) // 2
    cells = [row(at, (values or {}).get(at, str(at * 2))) for at in shown]
    rows = "".join([*cells[:half], "<tr><th>...</th><td>...</td></tr>", *cells[half:]])
    return returned("", **{"text/html": table(rows, "891 rows × 1 columns")})


_SIXTY = (*range(30), *range(861, 891))
_TEN = (*range(5), *range(886, 891))


def test_how_many_rows_of_a_table_are_shown_does_not_count() -> None:
    assert compare([_long_table(_SIXTY)], [_long_table(_TEN)]).match is OutputMatch.SAME
    assert compare([_long_table(_TEN)], [_long_table(_SIXTY)]).match is OutputMatch.SAME


@pytest.mark.parametrize("at", [3, 889])
def test_of_a_long_table_the_rows_that_both_show_are_compared(at: int) -> None:
    cell = compare([_long_table(_SIXTY)], [_long_table(_TEN, {at: "7777"})])
    assert cell.match is OutputMatch.DIFFERENT
    assert cell.difference is not None
    assert cell.difference.kind is DifferenceKind.TABLE_VALUE
    assert (cell.difference.saved, cell.difference.fresh) == (str(at * 2), "7777")
    assert cell.difference.column == "age"


def _pairs(value: str, count: int = 3_000) -> str:
    return ",\n ".join(
        f"{at}: ({at}, {value.format(f'0.00{at:04d}1234567')})" for at in range(count)
    )


def test_of_long_texts_what_both_show_is_compared() -> None:
    saved, scalars = _pairs("{}"), _pairs("np.float64({})")
    assert len(saved) > LONGEST, "both are cut"
    assert compare([returned(saved)], [returned(scalars)]).match is OutputMatch.SAME
    other = scalars.replace("0.0010001234567", "0.5")
    assert compare([returned(saved)], [returned(other)]).match is OutputMatch.DIFFERENT
    fewer = _pairs("np.float64({})", 500)
    assert compare([returned(saved)], [returned(fewer)]).match is OutputMatch.DIFFERENT


def _series(each: int, footer: str, changed: int | None = None) -> str:
    rows = [f"{at:<6}{(at * 7) % 50 / 10 + (at == changed):6.1f}" for at in range(9_328)]
    shown = [*rows[:each], "        ...  ", *rows[-each:]]
    return "\n".join([*shown, footer, ""])


def test_number_of_printed_rows_of_a_series_is_ignored() -> None:
    saved = _series(30, "Name: 2013, dtype: float64")
    fresh = _series(5, "Name: 2013, Length: 9328, dtype: float64")
    assert compare([printed(saved)], [printed(fresh)]).match is OutputMatch.SAME
    assert compare([printed(saved * 2)], [printed(fresh * 2)]).match is OutputMatch.SAME
    assert compare([printed(fresh)], [printed(saved)]).match is OutputMatch.SAME
    cell = compare([printed(saved)], [printed(_series(5, "Length: 9328, dtype: float64", 9_326))])
    assert cell.match is OutputMatch.DIFFERENT
    assert cell.difference is not None and cell.difference.line == 60


def test_name_above_a_shortened_series_is_no_row() -> None:
    rows = [f"C{number:02}    {60 - number}" for number in range(60)]
    then = "\n".join([*rows[:30], "      ..", *rows[30:], "Name: Cabin, dtype: int64"])
    short = ["Cabin", *rows[:5], "      ..", *rows[-5:], "Name: count, Length: 60, dtype: int64"]
    assert compare([returned(then)], [returned("\n".join(short))]).match is OutputMatch.SAME
    short[2] = "C01    7"
    assert compare([returned(then)], [returned("\n".join(short))]).match is OutputMatch.DIFFERENT


def test_the_length_of_a_series_counts_where_both_show_it() -> None:
    saved = _series(30, "Length: 9328, dtype: float64")
    fresh = _series(5, "Length: 3000, dtype: float64")
    assert compare([printed(saved)], [printed(fresh)]).match is OutputMatch.DIFFERENT


def test_a_gap_among_the_columns() -> None:
    def wide(*names: str) -> dict[str, Any]:
        head = "".join(f"<th>{name}</th>" for name in ("", *names))
        cells = "".join(f"<td>{len(name)}</td>" for name in names)
        html = f"<table><tr>{head}</tr><tr><th>0</th>{cells}</tr></table><p>1 rows × 9 columns</p>"
        return returned("", **{"text/html": html})

    saved = wide("a", "bb", "ccc", "...", "dddd", "e")
    assert compare([saved], [wide("a", "bb", "...", "e")]).match is OutputMatch.SAME
    other = compare([saved], [wide("a", "B", "...", "e")])
    assert other.difference is not None
    assert other.difference.kind is DifferenceKind.TABLE_COLUMNS


@pytest.mark.parametrize(
    ("saved", "fresh", "match"),
    [
        ("[1. 0. 1.]", "[0. 0. 1.]", OutputMatch.DIFFERENT),
        ("[12. 13.]", "[13. 13.]", OutputMatch.DIFFERENT),
        ("1.e+05", "2.e+05", OutputMatch.DIFFERENT),
        ("a score of 0.8664.", "a score of 0.8024.", OutputMatch.CLOSE),
        ("version 1.2.3", "version 1.2.4", OutputMatch.SAME),
    ],
)
def test_numbers_with_nothing_behind_the_point(saved: str, fresh: str, match: OutputMatch) -> None:
    assert compare([printed(saved)], [printed(fresh)]).match is match


def test_what_is_shown_of_a_difference_does_differ() -> None:
    start = "word " * 100
    cell = compare([printed(f"{start}1.5\n")], [printed(f"{start}9.5 {'more ' * 90}\n")])
    assert cell.difference is not None
    assert cell.difference.saved != cell.difference.fresh
    assert "1.5" in cell.difference.saved
    assert "9.5" in cell.difference.fresh
    assert max(len(cell.difference.saved), len(cell.difference.fresh)) <= 201


def test_a_size_that_differs_is_said_in_numbers() -> None:
    saved = returned("", **{"text/html": table(row(0, 22) + row(1, 38))})
    fresh = returned("", **{"text/html": table(row(0, 22), "890 rows × 1 columns")})
    difference = compare([saved], [fresh]).difference
    assert difference is not None
    assert (difference.saved, difference.fresh) == ("2 rows × 1 columns", "890 rows × 1 columns")


def test_when_a_model_was_fitted_does_not_count() -> None:
    def summary(date: str, time: str, score: str) -> tuple[dict[str, Any], dict[str, Any]]:
        cells = (("Date:", date, "Pseudo R-squ.:", score), ("Time:", time, "LLR p-value:", "0.1"))
        rows = "".join(f"<tr>{''.join(f'<td>{one}</td>' for one in line)}</tr>" for line in cells)
        text = "\n".join(f"{a}  {b}   {c} {d}" for a, b, c, d in cells)
        return returned("", **{"text/html": f"<table>{rows}</table>"}), printed(text)

    for then, now, other in zip(
        summary("Sun, 20 Dec 2015", "19:04:51", "0.31"),
        summary("Mon, 03 Mar 2025", "07:12:00", "0.31"),
        summary("Mon, 03 Mar 2025", "07:12:00", "0.45"),
        strict=True,
    ):
        assert compare([then], [now]).match is OutputMatch.SAME
        assert compare([then], [other]).match is OutputMatch.DIFFERENT


WRAPPED = """\
    column1 column2  ...  column4  \\
id                   ...
5         1  a text  ...        7
17        1    more  ...        8

    column5  column6
id
5       4.5        1
17      1.5        1

[2 rows x 9 columns]
"""
OTHERWISE_WRAPPED = """\
    column1 column2  \\
id
5         1  a text
17        1    more

    ...  column4 \\
id  ...
5   ...        7
17  ...        8

    column5  column6
id
5       4.5        1
17      1.5        1

[2 rows x 9 columns]
"""


@pytest.mark.parametrize(
    ("then", "now", "match"),
    [
        (WRAPPED, OTHERWISE_WRAPPED, OutputMatch.SAME),
        (WRAPPED, OTHERWISE_WRAPPED.replace("8\n", "9\n"), OutputMatch.DIFFERENT),
        (WRAPPED, OTHERWISE_WRAPPED.replace("1.5", "7.5"), OutputMatch.DIFFERENT),
        (WRAPPED, OTHERWISE_WRAPPED.replace("column5", "column7"), OutputMatch.DIFFERENT),
        (WRAPPED, OTHERWISE_WRAPPED.replace("17      1.5        1\n", ""), OutputMatch.DIFFERENT),
    ],
    ids=["same", "value in the middle", "value at the end", "column", "row"],
)
def test_where_a_wide_table_wraps_does_not_count(then: str, now: str, match: OutputMatch) -> None:
    assert compare([printed(then)], [printed(now)]).match is match


def test_what_is_printed_below_a_wrapped_table_stays_below_it() -> None:
    then, now = (text.partition("\n[2 rows")[0] + "done\n" for text in (WRAPPED, OTHERWISE_WRAPPED))
    assert compare([printed(then)], [printed(now)]).match is OutputMatch.SAME
    other = compare([printed(then)], [printed(now.replace("done", "over"))])
    assert other.match is OutputMatch.DIFFERENT


def test_of_a_table_with_one_row_no_number_is_cut() -> None:
    wrapped = "   a   b \\\n0  1.5 2.5\n\n   c   d\n0  1.7 3.5\n"
    assert compare([printed(wrapped)], [printed("   a   b   c   d\n0  1.5 2.5 1.7 3.5\n")]).match
    other = compare([printed(wrapped)], [printed(wrapped.replace("1.7", "9.7"))])
    assert other.match is OutputMatch.DIFFERENT
    assert other.difference is not None and other.difference.line == 2


def test_differing_line_below_a_long_estimator_is_named() -> None:
    shown = "SVC(C=1.0, cache_size=200,\n  degree=3, gamma='auto',\n  verbose=False)\nscore: {}\n"
    found = compare([printed(shown.format("0.5 a"))], [printed(shown.format("0.5 b"))])
    assert found.difference is not None
    assert (found.difference.saved, found.difference.line) == ("score: 0.5 a", 4)


def test_the_result_of_a_test_is_the_tuple_that_it_was() -> None:
    then = "(0.1617,\n 0.6876,\n 1,\n array([[ 27.83, 148.17],\n        [ 77.17, 410.83]]))"
    now = (
        "Chi2ContingencyResult(statistic=np.float64(0.1617), pvalue=np.float64(0.6876), dof=1, "
        "expected_freq=array([[ 27.83, 148.17],\n       [ 77.17, 410.83]]))"
    )
    assert compare([returned(then)], [returned(now)]).match is OutputMatch.SAME
    other = now.replace("410.83", "499.83")
    assert compare([returned(then)], [returned(other)]).match is OutputMatch.DIFFERENT


def test_the_seconds_of_folds_are_no_result() -> None:
    shown = (
        "{{'fit_time': array([{0}, {0}]), 'score_time': array([{0}]), 'test_score': array([{1}])}}"
    )
    then = returned(shown.format("0.12", "0.9"))
    assert compare([then], [returned(shown.format("7.5", "0.9"))]).match is OutputMatch.SAME
    assert compare([then], [returned(shown.format("7.5", "0.2"))]).match is OutputMatch.DIFFERENT


def test_types_are_left_out_of_the_short_form_of_info_too() -> None:
    short = "<class 'pandas.core.frame.DataFrame'>\nColumns: 377 entries, ID to X385\ndtypes: {}\n"
    then, now = printed(short.format("int64(369), object(8)")), short.format("int64(369), str(8)")
    assert compare([then], [printed(now)]).match is OutputMatch.SAME
    assert compare([then], [printed(now.replace("377", "376"))]).match is OutputMatch.DIFFERENT


def test_which_class_is_shown_counts_in_a_tuple_too() -> None:
    then = returned("(pandas.core.frame.DataFrame, 5)")
    for now in ("(pandas.Series, 5)", "(pandas.DataFrame, 7)"):
        assert compare([then], [returned(now)]).match is OutputMatch.DIFFERENT


def test_which_truth_numpy_shows_counts() -> None:
    assert compare([returned("False")], [returned("np.True_")]).match is OutputMatch.DIFFERENT


def test_a_dict_and_a_method_beside_another_output_count() -> None:
    then = printed("{'b': 1, 'a': 2}\n1.5\n")
    for now in ("{'a': 1, 'b': 2}\n1.5\n", "{'a': 2, 'b': 1}\n7.5\n"):
        assert compare([then], [printed(now)]).match is OutputMatch.DIFFERENT
    then = printed("<bound method NDFrame.head of    a\n0  1>\n")
    for now in ("<bound method NDFrame.tail of    a\n0  1>\n", then["text"].replace("1", "7")):
        assert compare([then], [printed(now)]).match is OutputMatch.DIFFERENT


def _long_wide(rows: int, width: int, value: str = "1782") -> dict[str, Any]:
    """A printed table of 891 rows and 4 columns, `width` in a block, `rows` shown at each end."""
    shown = (*range(rows), None, *range(891 - rows, 891))
    blocks = []
    for first in range(0, 4, width):
        columns = range(first, first + width)
        goes_on = " \\" if first + width < 4 else ""
        lines = ["    " + "".join(f"  column{at}" for at in columns) + goes_on]
        for row in shown:
            index = "..." if row is None else str(row)
            values = ("..." if row is None else str(row * 2 + at) for at in columns)
            lines.append(f"{index:<4}" + "".join(f"  {one:>7}" for one in values))
        blocks.append("\n".join(lines))
    text = "\n\n".join(blocks) + "\n\n[891 rows x 4 columns]\n"
    return printed(text.replace("1782", value))


@pytest.mark.parametrize("width", [2, 4])
def test_long_wide_table_is_compared_by_its_common_part(width: int) -> None:
    then = _long_wide(30, 2)
    assert compare([then], [_long_wide(5, width)]).match is OutputMatch.SAME
    assert compare([_long_wide(5, width)], [then]).match is OutputMatch.SAME
    now = _long_wide(5, width, value="9999")
    assert compare([then], [now]).match is OutputMatch.DIFFERENT
    blank = printed("\n\n\n" + now["text"])
    assert compare([printed("\n" + then["text"])], [blank]).match is OutputMatch.DIFFERENT
