"""Compares the Swift examples of the articles and of the README with the sources of the sample, which CI compiles and runs.

Each must stand there line by line, at whatever indentation. Called by Tools/docs.
"""

import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CATALOGUE = ROOT / "Sources/ChunkTransfer/ChunkTransfer.docc"
SAMPLE = ROOT / "Tools/sample/Sources/sample"


def examples(text):
    """The Swift blocks of an article: the number of the first line, and the lines."""
    for block in re.finditer(r"^```swift\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, block.start()) + 2, block[1].splitlines()


def stands_in(lines, source):
    """Whether the lines follow one another in the source, all moved to the right by the same number of blanks."""
    for first in range(len(source) - len(lines) + 1):
        if textwrap.dedent("\n".join(source[first : first + len(lines)])) == "\n".join(lines):
            return True
    return False


def main():
    sources = [path.read_text().splitlines() for path in sorted(SAMPLE.glob("*.swift"))]
    wrong = count = 0
    for article in [*sorted(CATALOGUE.glob("*.md")), ROOT / "README.md"]:
        for line, lines in examples(article.read_text()):
            count += 1
            if not any(stands_in(lines, source) for source in sources):
                wrong += 1
                print(f"{article.relative_to(ROOT)}:{line}: this example is not in {SAMPLE.relative_to(ROOT)}")
    if wrong or not count:
        sys.exit(f"{wrong} of {count} examples are not in the sample")


main()
