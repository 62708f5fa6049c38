from __future__ import annotations

from tests.fixing.rules.executed.case import Case

LOUD: list[Case] = [
    Case("python-collections-abc", "import collections", "result = collections.Mapping"),
    Case(
        "python-collections-abc", "", "from collections import Mapping, OrderedDict", "OrderedDict"
    ),
    Case("python-time-clock", "import time", "result = time.clock()", "result >= 0"),
    Case("python-fractions-gcd", "", "from fractions import gcd", "gcd(4, 6) == 2"),
    Case(
        "python-getargspec",
        "import inspect\n",
        "result = inspect.getargspec(lambda a, b=1: a).args",
        "result == ['a', 'b']",
    ),
    Case(
        "python-getargspec",
        "import inspect\n",
        "args, more, keywords, defaults = inspect.getargspec(lambda a, b=1: a)",
        "defaults == (1,)",
    ),
    Case("python-getargspec", "", "from inspect import getargspec", "getargspec(lambda q: q)[0]"),
    Case(
        "python-base64-strings",
        "import base64\n",
        "result = base64.encodestring(b'a')",
        "result == b'YQ==\\n'",
    ),
    Case(
        "python-xml-children",
        "import xml.etree.ElementTree as E\na = E.fromstring('<a><b/></a>')\n",
        "result = a.getchildren()[0].tag",
        "result == 'b'",
    ),
    Case(
        "python-xml-children",
        "import xml.etree.ElementTree as E\na = E.fromstring('<a><b/></a>')\n",
        "result = [one.tag for one in a.getiterator('b')]",
        "result == ['b']",
    ),
    Case(
        "python-thread-isalive",
        "import threading\n",
        "result = threading.Thread().isAlive()",
        "result is False",
    ),
    Case(
        "python-json-encoding",
        "import json\n",
        "result = json.loads('[1]', encoding='utf8')",
        "result == [1]",
    ),
    Case("python-cgi-escape", "import cgi\n", "result = cgi.escape('<\"')", "result == '&lt;\"'"),
    Case("python-cgi-escape", "", "from cgi import parse_qs", "parse_qs('a=1') == {'a': ['1']}"),
    Case(
        "python-random-sample-set",
        "import random\nchosen = {1, 2, 3}\n",
        "result = random.sample(chosen, 2)",
        "len(result) == 2",
    ),
    Case(
        "python-random-shuffle",
        "import random\nx = [1, 2]\n",
        "random.shuffle(x, random.random)",
        "sorted(x) == [1, 2]",
    ),
    Case(
        "python-random-floats",
        "import random\n",
        "result = random.randint(0, 10 / 2)",
        "result < 6",
        fix=False,
    ),
    Case(
        "python-random-seed",
        "import random\n",
        "random.seed([1, 2])",
        never_worked="a list has no hash; older versions took other hashable things",
        fix=False,
    ),
    Case("python-factorial-float", "import math\n", "math.factorial(3.0)", fix=False),
    Case(
        "python-re-flags",
        "import re\n",
        "result = re.findall(r'ab(?i)c', 'ABC')",
        "result == ['ABC']",
    ),
    Case("python-re-escapes", "import re\n", "re.sub('a', '\\\\d', 'a')", fix=False),
    Case(
        "python-stop-iteration",
        "def numbers():\n    yield 1\n    raise StopIteration\n",
        "def numbers():\n    yield 1\n    raise StopIteration\nresult = list(numbers())",
        "result == [1]",
    ),
    Case(
        "python-universal-newlines",
        "open('x', 'w').close()\n",
        "result = open('x', 'rU').read()",
        "result == ''",
    ),
    Case("python-os-errno", "import os\n", "result = os.errno.ENOENT", "result == 2"),
    Case("python-platform-dist", "import platform\n", "platform.linux_distribution()", fix=False),
    Case(
        "python-array-strings",
        "import array\na = array.array('b', [1])\n",
        "result = a.tostring()",
        "result == b'\\x01'",
    ),
    Case(
        "python-locale-format",
        "import locale\n",
        "result = locale.format('%d', 3)",
        "result == '3'",
    ),
    Case(
        "python-safe-config-parser",
        "",
        "from configparser import SafeConfigParser",
        "SafeConfigParser().sections() == []",
    ),
    Case("python-unittest-aliases", "import unittest\n", "unittest.TestCase().assertEquals(1, 1)"),
    Case("python-asyncio-coroutine", "import asyncio\n", "asyncio.coroutine", fix=False),
    Case(
        "python-asyncio-loop",
        "import asyncio\n",
        "result = asyncio.Queue(loop=None)",
        "result.empty()",
    ),
    Case("python-parser-modules", "", "import parser", fix=False),
    Case("python-imp", "import math\n", "import imp\nresult = imp.reload(math)", "result is math"),
    Case("python-imp", "import math\n", "from imp import reload", "reload(math) is math"),
    Case(
        "python-distutils-version",
        "",
        "from distutils.version import LooseVersion",
        "LooseVersion('1.10') > LooseVersion('1.9')",
    ),
    Case("python-asyncore", "", "import asyncore", fix=False),
    Case("python-dead-batteries", "", "import imghdr", fix=False),
    Case("python-check-interval", "import sys\n", "sys.setcheckinterval(10)", fix=False),
    Case("python-binascii-hqx", "", "import binhex", fix=False),
    Case("python-ssl-wrap", "import ssl\n", "ssl.wrap_socket", fix=False),
    Case(
        "python-find-loader",
        "import importlib\n",
        "result = importlib.find_loader('os')",
        "result is not None",
        fix=False,
    ),
    Case("python-lazy-arrays", "", "result = len(map(int, ['1']))", "result == 1"),
    Case("python-lazy-arrays", "d = {'a': 1}\n", "result = d.keys()[0]", "result == 'a'"),
]

SILENT: list[Case] = [
    Case(
        "python-re-empty-matches",
        "import re",
        "words = re.split(r'\\W*', 'This book is, ok')\nlong = [w for w in words if len(w) > 2]",
        "words == ['This', 'book', 'is', 'ok'] and long == ['This', 'book']",
    ),
    Case(
        "python-lazy-arrays",
        "import numpy as np\n",
        "result = np.array(map(int, ['1'])).shape",
        "result == (1,)",
    ),
]
