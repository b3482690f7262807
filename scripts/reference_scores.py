"""Reference values for the tests of crates/dlfrm/src/score, from scikit-learn, scipy and numpy:

    python scripts/reference_scores.py
"""

import numpy as np
from scipy.stats import rankdata
from sklearn.metrics import average_precision_score, brier_score_loss, log_loss, roc_auc_score, roc_curve

y = np.array([(i * i + 3 * i) % 7 < 2 for i in range(200)])
s = np.array([i * 37 % 101 // 12 + 2 * y[i] for i in range(200)])  # links are tied with non-links
group = np.arange(200) % 9


def hits(k):
    """The chance, over orders of the tied, that fewer than k non-links are above a link; mean over links."""
    above = (s[~y][None] > s[y][:, None]).sum(1)
    tied = (s[~y][None] == s[y][:, None]).sum(1)
    return np.mean([np.mean(a + np.arange(t + 1) < k) for a, t in zip(above, tied)])


def precision(k):
    """Links among the k best pairs; along a tied step of the ROC curve both counts grow in proportion."""
    fpr, tpr, _ = roc_curve(y, s, drop_intermediate=False)
    found = tpr * y.sum()
    return np.interp(k, fpr * (~y).sum() + found, found) / k


def reciprocal_rank():
    """1 / rank of each link among itself and the non-links of its group, tied ranks averaged."""
    ranks = []
    for g in range(9):
        rivals = s[(group == g) & ~y]
        ranks += [rankdata(-np.append(rivals, link), "average")[-1] for link in s[(group == g) & y]]
    return np.mean(1 / np.array(ranks))


print("auc, ap       ", roc_auc_score(y, s), average_precision_score(y, s))
print("hits@10, @60  ", hits(10), hits(60))
print("precision@20, @61", precision(20), precision(61))
print("mrr           ", reciprocal_rank())

p = np.array([(i * 37 % 101) / 100 for i in range(200)])  # 0 and 1 are among them
b = np.minimum((p * 10).astype(int), 9)
print("log-loss      ", log_loss(y, p))
print("brier         ", brier_score_loss(y, p))
print("ece           ", sum(abs((p[b == k] - y[b == k]).sum()) for k in range(10)) / 200)
