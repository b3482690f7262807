"""Compares the speed of two binaries of dlfrm, in interleaved runs: CPU per sweep, kernels, peak memory.

usage: bench_compare.py OLD NEW DATA [--repeats N] [CASE...]

A case is fitted with few and with more sweeps, and the difference of the CPU times is that of the sweeps between: reading,
covariates and the start do not count. A case is chosen by any part of its name.
"""

import argparse
import functools
import json
import os
import statistics
import subprocess
import sys
import tempfile

MODELS = ["dlfrm-l", "dlfrm-h", "sto-dlfrm-l", "sto-dlfrm-h", "diag-dlfrm-l", "diag-dlfrm-h"]


def cases(data, folder):
    """Name, arguments, and the numbers of sweeps of the short and of the long fit."""
    kinship = os.path.join(folder, "kinship-7.tsv")
    unpacked = subprocess.run(["gzip", "-dc", f"{data}/kinship.tsv.gz"], stdout=subprocess.PIPE, text=True, check=True)
    with open(kinship, "w") as file:
        for line in unpacked.stdout.splitlines():
            relation, source, target = line.split("\t")
            if relation == "7":
                file.write(f"{source}\t{target}\n")
    # Features and an intercept: every version has this model, with the same work in a sweep.
    same = ["--covariates", "none", "--start", "annealed", "--alpha", "10", "--nu", "0.7", "--c-pos", "1.5", "--c-neg", "0.15"]
    same += ["--no-node-effects", "--no-learn-alpha", "--no-learn-nu"]
    small = {
        "nips234": [f"{data}/nips234.tsv.gz", "--undirected", "--nodes", "234"],
        "webkb": [f"{data}/webkb.tsv.gz", "--nodes", "877"],
        "kinship-7": [kinship, "--nodes", "104"],
    }
    for network, arguments in small.items():
        for model in MODELS:
            length = (10, 20) if network == "webkb" else (20, 120)
            yield f"{network} {model}", [*arguments, *same, "--model", model], length
    # Some 100 features.
    large = ["--undirected", "--negatives", "10", *same]
    for model in ["diag-dlfrm-l", "dlfrm-l", "sto-dlfrm-l"]:
        yield f"astroph {model}", [f"{data}/astroph.tsv.gz", "--nodes", "17903", *large, "--model", model], (6, 18)
    gowalla = [f"{data}/gowalla.tsv.gz", "--nodes", "196591", *large]
    yield "gowalla diag-dlfrm-l", [*gowalla, "--model", "diag-dlfrm-l"], (2, 8)


def run(command):
    """CPU seconds and peak memory in MiB of a command."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


@functools.cache
def flags(binary):
    """What a binary says of its command `fit`."""
    return subprocess.run([binary, "fit", "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout


def fit(binary, arguments, sweeps, folder, trace=None):
    """Fits one chain of so many sweeps. What cannot be turned off is not there."""
    shown = flags(binary)
    arguments = [argument for argument in arguments if not argument.startswith("--no-") or argument in shown]
    model = os.path.join(folder, "model.dlfrm")
    length = ["--chains", "1", "--burn-in", str(sweeps - 1), "--draws", "1"]
    more = ["--trace", trace] if trace else []
    return run([binary, "fit", *arguments, *length, "--quiet", "-o", model, *more])


def kernels(binary, arguments, first, last, folder):
    """Nanoseconds per pair and sweep of each kernel."""
    trace = os.path.join(folder, "trace.jsonl")
    fit(binary, arguments, last, folder, trace)
    lines = [json.loads(line) for line in open(trace)]
    lines = [line for line in lines if "trial" not in line and line["sweep"] > first]
    pairs = min(line["augment"]["pairs"] for line in lines)
    times = {name: sum(line["nanoseconds"][name] for line in lines) for name in lines[0]["nanoseconds"]}
    return {name: time / len(lines) / pairs for name, time in times.items() if time > 0}, pairs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("data")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("cases", nargs="*")
    options = parser.parse_intermixed_args()
    binaries = {"old": options.old, "new": options.new}
    print("CPU milliseconds per sweep, median over repeats with the smallest and the largest; peak memory in MiB")
    print(f"{'case':28}{'old':>10}{'new':>10}{'speed-up':>10}  {'range':14}{'old MiB':>9}{'new MiB':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments, (first, last) in cases(options.data, folder):
            if options.cases and not any(wanted in name for wanted in options.cases):
                continue
            sweeps, memory = {"old": [], "new": []}, {"old": 0.0, "new": 0.0}
            for repeat in range(options.repeats):
                order = list(binaries) if repeat % 2 == 0 else list(binaries)[::-1]
                for which in order:
                    short, _ = fit(binaries[which], arguments, first, folder)
                    long, peak = fit(binaries[which], arguments, last, folder)
                    sweeps[which].append(1000 * (long - short) / (last - first))
                    memory[which] = max(memory[which], peak)
            old, new = (statistics.median(sweeps[which]) for which in binaries)
            ratios = [a / b for a, b in zip(sweeps["old"], sweeps["new"])]
            spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
            print(
                f"{name:28}{old:10.2f}{new:10.2f}{old / new:10.2f}  {spread:14}{memory['old']:9.0f}{memory['new']:9.0f}",
                flush=True,
            )
            for which, binary in binaries.items():
                if "--trace" in flags(binary):
                    times, pairs = kernels(binary, arguments, first, last, folder)
                    listed = ", ".join(f"{kernel} {time:.1f}" for kernel, time in times.items() if time >= 0.1)
                    print(f"    {which}, ns per pair and sweep ({pairs} pairs): {listed}", flush=True)


if __name__ == "__main__":
    main()
