"""Reference values for crates/dlfrm-paper/src/svm/tests.rs, from scikit-learn:

    python scripts/reference_svm.py

and the AUC of scikit-learn's machines on a split that `dlfrm evaluate --write-splits FOLDER` wrote, for run 1 of a directed
network whose nodes are numbers and whose attributes are bags of words:

    python scripts/reference_svm.py FOLDER WORDS.tsv.gz linear,rbf
"""

import gzip
import sys

import numpy as np
import scipy.sparse as sp
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import normalize
from sklearn.svm import SVC, LinearSVC


def machine(name):
    if name == "rbf":
        return SVC(kernel="rbf", gamma="scale", C=1.0, class_weight="balanced", tol=1e-6, cache_size=2000)
    return LinearSVC(C=1.0, class_weight="balanced", loss="squared_hinge", dual=False, tol=1e-8, max_iter=10_000)


def small():
    """Twelve nodes with a number (of one it is not known) and up to three words; a pair in five is tested."""
    n = 12
    number = np.array([(5 * i * i + 3 * i) % 11 for i in range(n)], float)
    known = np.arange(n) != 7
    number = np.where(known, (number - number[known].mean()) / number[known].std(), 0)
    words = np.zeros((n, 5))
    for i in range(n):
        for k in range(i % 4):
            words[i, (i * (k + 2) + k) % 5] += 1
    x = np.hstack([number[:, None], normalize(words)])
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    test = [(i, j) for i, j in pairs if (i + 2 * j) % 5 == 0]
    train = [pair for pair in pairs if pair not in test]
    y = np.array([(3 * i + j * j) % 7 < 2 for i, j in train])
    for name in "linear", "rbf":
        fitted = machine(name).fit([np.hstack([x[i], x[j]]) for i, j in train], y)
        print(name, len(train), y.sum(), fitted.decision_function([np.hstack([x[i], x[j]]) for i, j in test[::4]]).tolist())


def words_of(file, n):
    columns, starts = [], [0]
    with gzip.open(file, "rt") as text:
        for line in text:
            columns += [int(word) for word in line.split()[1:]]
            starts.append(len(columns))
    return normalize(sp.csr_matrix((np.ones(len(columns)), columns, starts), shape=(n, max(columns) + 1)))


def labelled(file):
    with open(file) as text:
        rows = [line.split("\t") for line in text if not line.startswith(("#", "source"))]
    return np.array([[int(field) for field in row] for row in rows])


def split(folder, file, names):
    n = sum(1 for _ in open(folder + "/nodes.txt"))
    x = words_of(file, n)
    test, train = labelled(folder + "/run-1-test.tsv"), labelled(folder + "/run-1-train.tsv")
    if train[:, 2].all():  # all other pairs are non-links
        known = {(i, j) for i, j, _ in np.vstack([test, train])}
        rest = [(i, j, 0) for i in range(n) for j in range(n) if i != j and (i, j) not in known]
        train = np.vstack([train, rest])
    both = lambda pairs: sp.hstack([x[pairs[:, 0]], x[pairs[:, 1]]], format="csr")
    for name in names.split(","):
        fitted = machine(name).fit(both(train), train[:, 2])
        print(name, len(train), train[:, 2].sum(), roc_auc_score(test[:, 2], fitted.decision_function(both(test))))


if len(sys.argv) > 1:
    split(*sys.argv[1:])
else:
    small()
