"""Instructions of a command by function, as valgrind's callgrind counts them."""

import collections
import re
import subprocess

# These are counted in bytes instead: callgrind takes `rep movsb` for as many instructions as there are bytes.
COPIES = re.compile(r"mem(p?cpy|move)")
# How many a kernel takes is a matter of how many lanes it had.
KERNEL = re.compile(r"chk_compress")


def functions(path):
    """Instructions of each function of a profile, without those of what it calls."""
    counted, known, function, is_inclusive = collections.Counter(), {}, None, False
    with open(path) as profile:
        for line in profile:
            if line.startswith(("fn=", "cfn=")):
                # "fn=(12) name" the first time, "fn=(12)" from then on.
                number, _, name = line.rstrip("\n").partition("=")[2].partition(" ")
                name = known.setdefault(number, name)
                if line.startswith("fn="):
                    function = name
            elif line.startswith("calls="):
                # The next line is what the called one took.
                is_inclusive = True
            elif line[0] in "0123456789+-*":
                if not is_inclusive:
                    counted[function] += int(line.split()[1])
                is_inclusive = False
    return counted


def strip(program, folder):
    """A copy without what valgrind 3.19 cannot read and does not need: DWARF 5. The names of functions stay."""
    subprocess.run(["strip", "--strip-debug", "-o", folder / program.name, program], check=True)


def count(command, environment, profile):
    """Instructions of a command, without those of the hash kernel and of copies."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", *command],
        env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise SystemExit(f"counts: valgrind ended with {done.returncode}: {done.stderr[-2000:]}")
    counted = functions(profile)
    if not any(KERNEL.search(name) for name in counted):
        raise SystemExit("counts: the profile does not name the hash kernel, whose instructions are to be left out")
    return sum(number for name, number in counted.items() if not COPIES.search(name) and not KERNEL.search(name))
