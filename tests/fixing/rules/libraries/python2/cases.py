from __future__ import annotations

from tests.fixing.rules.executed.case import Case

WORDS = "text = '1 2 3'\n"
PRINTED = "import io, sys\nout = sys.stdout = io.StringIO()\n"
DICT = "d = {'a': 1, 'b': 2}\n"
CSV = "import csv\nwith open('t.csv', 'w') as out:\n    out.write('a,b\\n1,2\\n')\n"

LOUD: list[Case] = [
    Case(
        "python2-table-encoding",
        "import io\nimport pandas as pd\nfile = io.BytesIO(b'n,m\\n\\xe9t\\xe9,1\\n')\n",
        "result = pd.read_csv(file)\ntotal = result.groupby('n')['m'].sum()",
        "result['n'].tolist() == ['\xe9t\xe9'] and total.tolist() == [1]",
        line=1,
    ),
    Case(
        "python2-print",
        "",
        "n = len([1, 2, 3])\nresult = n / 2\nother = 3. / 2\nprint result",
        "result == 1 and other == 1.5",
        also=("python2-division",),
    ),
    Case(
        "python2-print",
        WORDS,
        "result = map(int, text.split())\nresult.sort(reverse=True)\nprint result",
        "result == [3, 2, 1]",
        also=("python2-lazy-lists",),
    ),
    Case("python2-print", PRINTED, "print 'a', 3,", "out.getvalue() == 'a 3 '"),
    Case(
        "python2-print", PRINTED, "print 'a %d' % 3  # kept\nprint", "out.getvalue() == 'a 3\\n\\n'"
    ),
    Case("python2-print", "x = []", "for i in range(2): print i; x.append(i)", "x == [0, 1]"),
    Case(
        "python2-print-to-file",
        "import sys, io\nout = io.StringIO()",
        "print >>out, 'a'",
        "out.getvalue() == 'a\\n'",
    ),
    Case(
        "python2-print-operator",
        PRINTED,
        "print ('%.2f') % 0.126",
        "out.getvalue() == '0.13\\n'",
    ),
    Case("python2-print-method", PRINTED, "print (-1).conjugate()", "out.getvalue() == '-1\\n'"),
    Case(
        "python2-print-method",
        PRINTED,
        "print (-1).conjugate(), 'of', 3",
        "out.getvalue() == '-1 of 3\\n'",
    ),
    Case(
        "python2-print-method",
        PRINTED,
        "print (-1).conjugate(),\nprint(2)",
        "out.getvalue() == '-1 2\\n'",
    ),
    Case("python2-print-method", PRINTED, "print ([7, 8])[1]", "out.getvalue() == '8\\n'"),
    Case("python2-print-operator", PRINTED, "print -abs(1)", "out.getvalue() == '-1\\n'"),
    Case("python2-print-operator", PRINTED, "print [1, 2]", "out.getvalue() == '[1, 2]\\n'"),
    Case(
        "python2-except",
        "",
        "try:\n    1 / 0\nexcept ZeroDivisionError, e:\n    result = str(e)",
        "'zero' in result",
    ),
    Case(
        "python2-raise",
        "",
        "try:\n    raise ValueError, 'bad'\nexcept ValueError as e:\n    result = str(e)",
        "result == 'bad'",
    ),
    Case("python2-exec", "space = {}", "exec 'y = 4' in space", "space['y'] == 4"),
    Case("python2-backticks", "", "result = `[1]` + 'x'", "result == '[1]x'"),
    Case("python2-not-equal", "", "result = 1 <> 2", "result is True"),
    Case("python2-numbers", "", "result = 0644 + 10L", "result == 430"),
    Case("python2-raw-unicode", "", "result = ur'\\d' + u'a'", "result == '\\\\da'"),
    Case(
        "python2-text-escapes",
        "",
        "result = 'C:\\\\Users\\\\me', r'\\User', 'C:\\Users\\new', '\\u0041'",
        "result == ('C:\\\\Users\\\\me', '\\\\User', 'C:\\\\Users\\new', 'A')",
    ),
    Case(
        "python2-tuple-parameters",
        DICT,
        "result = sorted(d.items(), key=lambda (k, v): -v)",
        "result == [('b', 2), ('a', 1)]",
    ),
    Case(
        "python2-tuple-parameters",
        "",
        "def f(a, (b, c)):\n    return a + b + c\nresult = f(1, (2, 3))",
        "result == 6",
    ),
    Case(
        "python2-tabs",
        "",
        "for i in [1]:\n        a = 2\n\tresult = '''\n\tx'''",
        "result == '\\n\\tx'",
    ),
    Case("python2-xrange", "", "result = [i for i in xrange(3)]", "result == [0, 1, 2]"),
    Case("python2-text", "", "result = unicode(3) + unichr(97)", "result == '3a'"),
    Case("python2-text", "", "result = isinstance('a', basestring)", "result"),
    Case("python2-long", "", "result = long(3.5)", "result == 3"),
    Case(
        "python2-raw-input",
        "import sys, io\nsys.stdin = io.StringIO('yes\\n')",
        "result = raw_input()",
        "result == 'yes'",
    ),
    Case("python2-reduce", "", "result = reduce(lambda a, b: a + b, [1, 2])", "result == 3"),
    Case(
        "python2-default-encoding",
        "",
        "import sys\nreload(sys)\nsys.setdefaultencoding('utf-8')\nresult = 1",
        "result == 1",
    ),
    Case("python2-reload", "import json", "result = reload(json)", "result is json"),
    Case("python2-intern", "", "result = intern('a')", "result == 'a'"),
    Case(
        "python2-file", "", "file('x', 'w').write('1')\nresult = file('x').read()", "result == '1'"
    ),
    Case(
        "python2-execfile",
        "with open('x.py', 'w') as out:\n    out.write('y = 3')\n",
        "execfile('x.py')",
        "y == 3",
    ),
    Case("python2-apply", "", "result = apply(max, [1, 3])", "result == 3"),
    Case("python2-cmp", "", "result = -cmp(1, 2)", "result == 1"),
    Case(
        "python2-sort-cmp",
        "",
        "result = sorted([1, 3, 2], cmp=lambda a, b: b - a)",
        "result == [3, 2, 1]",
    ),
    Case(
        "python2-sort-cmp",
        "result = [1, 3, 2]",
        "result.sort(lambda a, b: b - a)",
        "result == [3, 2, 1]",
    ),
    Case(
        "python2-has-key", DICT, "result = not d.has_key('z') and d.has_key('a') == True", "result"
    ),
    Case(
        "python2-dict-iterators",
        DICT,
        "result = [(k, v) for k, v in d.iteritems()]",
        "result == [('a', 1), ('b', 2)]",
    ),
    Case(
        "python2-next",
        CSV + "r = csv.reader(open('t.csv'))\n",
        "result = r.next()",
        "result == ['a', 'b']",
    ),
    Case(
        "python2-translate",
        "import string\ntext = 'a, b.'\n",
        "result = text.lower().translate(None, string.punctuation)",
        "result == 'a b'",
    ),
    Case("python2-next", "g = (i for i in [4])", "result = g.next()", "result == 4"),
    Case("python2-lazy-lists", DICT, "result = d.keys()[0]", "result == 'a'"),
    Case("python2-lazy-lists", DICT, "result = d.keys() + d.keys()", "result == ['a', 'b'] * 2"),
    Case("python2-lazy-lists", WORDS, "result = map(int, text.split())[1]", "result == 2"),
    Case("python2-lazy-lists", WORDS, "result = len(filter(None, text.split()))", "result == 3"),
    Case("python2-lazy-lists", "", "result = range(2) + [5]", "result == [0, 1, 5]"),
    Case("python2-lazy-lists", "", "result = zip([1, 2], [3, 4])[1]", "result == (2, 4)"),
    Case("python2-lazy-lists", "", "result = range(2) * 2", "result == [0, 1, 0, 1]"),
    Case("python2-lazy-lists", "n = 2\n", "result = n * range(2)", "result == [0, 1, 0, 1]"),
    Case(
        "python2-lazy-arrays",
        "import numpy as np\n",
        "result = np.concatenate(zip([1, 2], [3, 4]))",
        "result.tolist() == [1, 3, 2, 4]",
    ),
    Case(
        "python2-lazy-arrays",
        "import numpy as np\n" + DICT,
        "result = np.mean(d.values())",
        "result == 1.5",
    ),
    Case(
        "python2-csv-files",
        CSV,
        "result = [row for row in csv.reader(open('t.csv', 'rb'))]",
        "result == [['a', 'b'], ['1', '2']]",
    ),
    Case(
        "python2-csv-files",
        CSV,
        "w = csv.writer(open('o.csv', 'wb'))\nw.writerow([1, 2])\ndel w\n"
        "result = open('o.csv').read()",
        "result == '1,2\\n'",
    ),
    Case(
        "python2-pickle-files",
        "import pickle\nwith open('p', 'wb') as out:\n    pickle.dump([1, 2], out)\n",
        "result = pickle.load(open('p', 'r'))\ntotal = sum(result)",
        "result == [1, 2] and total == 3",
        line=1,
    ),
    Case(
        "python2-pickle-files",
        "import pickle\n",
        "with open('q', 'w') as out:\n    pickle.dump([1, 2], out)\n"
        "with open('q', 'r') as file:\n    result = pickle.load(file)",
        "result == [1, 2]",
    ),
    Case("python2-text-decoded", "s = 'a'", "result = str(s, 'utf-8')", "result == s"),
    Case("python2-decode", "s = 'caf\\u00e9'", "result = s.decode('utf-8')", "result == s"),
    Case(
        "python2-error-message",
        "def f():\n    raise ValueError('bad')\n",
        "try:\n    f()\nexcept ValueError as e:\n    result = e.message",
        "result == 'bad'",
    ),
    Case(
        "python2-standard-error",
        "",
        "try:\n    1 / 0\nexcept StandardError as e:\n    result = 1",
        "result == 1",
    ),
    Case(
        "python2-pickle",
        "",
        "import cPickle\nresult = cPickle.loads(cPickle.dumps(3))",
        "result == 3",
    ),
    Case("python2-pickle", "", "import cPickle as pickle\nresult = pickle.dumps(3)", "result"),
    Case("python2-string-io", "", "from StringIO import StringIO", "StringIO('a').read() == 'a'"),
    Case(
        "python2-string-io",
        "",
        "import cStringIO\nresult = cStringIO.StringIO('a')",
        "result.read() == 'a'",
    ),
    Case(
        "python2-string-io-bytes",
        "import io, subprocess",
        "result = io.StringIO(subprocess.check_output(['echo', 'a']))",
        "result.read() == b'a\\n'",
    ),
    Case(
        "python2-string-io-bytes",
        "from io import StringIO\nfrom subprocess import PIPE, Popen",
        "result = StringIO(Popen(['echo', 'a'], stdout=PIPE).communicate()[0])",
        "result.read() == b'a\\n'",
    ),
    Case(
        "python2-string-io-bytes",
        "import io, zipfile\nkept = io.BytesIO()\nwith zipfile.ZipFile(kept, 'w') as archive:\n"
        "    archive.writestr('a.csv', 'a')\n",
        "from io import StringIO\nresult = StringIO(zipfile.ZipFile(kept).read('a.csv'))",
        "result.read() == b'a'",
        line=2,
    ),
    Case(
        "python2-string-io-bytes",
        "import io, zipfile\nkept = io.BytesIO()\nwith zipfile.ZipFile(kept, 'w') as archive:\n"
        "    archive.writestr('a.csv', 'a')\n",
        "from io import StringIO\nopened = zipfile.ZipFile(kept)\ntext = opened.read('a.csv')\n"
        "result = StringIO(text)",
        "result.read() == b'a'",
        line=4,
    ),
    Case(
        "python2-urllib2",
        "",
        "import urllib2\nresult = urllib2.Request('http://a/')",
        "result.host == 'a'",
    ),
    Case("python2-urllib2", "", "from urllib2 import urlopen, HTTPError", "HTTPError"),
    Case(
        "python2-urllib", "import urllib", "result = urllib.urlencode({'a': 1})", "result == 'a=1'"
    ),
    Case("python2-urllib", "", "from urllib import quote, urlretrieve", "quote(' ') == '%20'"),
    Case(
        "python2-urllib",
        "",
        "import urlparse\nresult = urlparse.urlparse('http://a/b')",
        "result.path == '/b'",
    ),
    Case(
        "python2-itertools",
        "import itertools",
        "result = list(itertools.izip([1], [2]))",
        "result == [(1, 2)]",
    ),
    Case(
        "python2-itertools",
        "",
        "from itertools import izip, chain",
        "list(izip([1], [2])) == [(1, 2)]",
    ),
    Case("python2-string-constants", "import string", "result = string.letters", "'a' in result"),
    Case(
        "python2-string-functions",
        "import string",
        "result = string.join(['a', 'b'], '-')",
        "result == 'a-b'",
    ),
    Case(
        "python2-string-functions", "import string", "result = string.upper('a')", "result == 'A'"
    ),
    Case("python2-maxint", "import sys", "result = sys.maxint", "result > 2 ** 60"),
    Case("python2-getcwdu", "import os", "result = os.getcwdu()", "result == os.getcwd()"),
    Case("python2-types", "import types", "result = isinstance('a', types.StringType)", "result"),
    Case("python2-renamed-modules", "", "import Queue\nresult = Queue.Queue()", "result.empty()"),
    Case("python2-renamed-modules", "", "from HTMLParser import HTMLParser", "HTMLParser()"),
]

SILENT: list[Case] = [
    Case(
        "python2-lazy-arrays",
        "import numpy as np\n" + WORDS,
        "result = np.array(map(int, text.split()))",
        "result.tolist() == [1, 2, 3]",
    ),
    Case(
        "python2-lazy-arrays",
        "import numpy as np\n" + DICT,
        "result = np.array(d.values())",
        "result.tolist() == [1, 2]",
    ),
]
