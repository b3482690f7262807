"""Reference values for the tests of crates/dlfrm/src/score/groups.rs, from cdlib:

    python scripts/reference_groups.py
"""

from cdlib.evaluation.internal.onmi import onmi


def blocks(n, size, shift):
    """Groups of consecutive nodes, each `shift` after the one before: they overlap if shift < size."""
    return [{i % n for i in range(start, start + size)} for start in range(0, n, shift)]


def residues(n, modulus, second):
    """Each node i in the group i mod `modulus`, and every `second`-th one in the next group too."""
    groups = [set() for _ in range(modulus)]
    for i in range(n):
        groups[i % modulus].add(i)
        if i % second == 0:
            groups[(i + 1) % modulus].add(i)
    return groups


def almost(groups, n, every):
    """The same groups, but every `every`-th node is in the next one."""
    return [
        {i for i in g if i % every} | {i for i in groups[k - 1] if i % every == 0}
        for k, g in enumerate(groups)
    ]


n = 120
parts, overlapping = blocks(n, 20, 20), blocks(n, 20, 15)
everything = set(range(n))
cases = {
    "parts, overlapping": (parts, overlapping),
    "parts, almost parts": (parts, almost(parts, n, 7)),
    "overlapping, almost": (overlapping, almost(overlapping, n, 4)),
    "residues, residues": (residues(n, 6, 4), residues(n, 3, 5)),
    "residues, almost": (residues(n, 6, 4), almost(residues(n, 6, 4), n, 9)),
    "fewer groups": (parts[:3], overlapping),
    "one large group": ([set(range(90))], parts),
    "large and disjoint": ([set(range(90))], [{100, 101}, {7, 93}]),
    "a group of all": (parts + [everything], overlapping),
    "a group of none": (parts + [set()], parts),
    "nothing but all": ([everything], parts),
}
for name, (found, truth) in cases.items():
    print(f"{name:22} {float(onmi(found, truth, everything))!r}")
