# SPDX-License-Identifier: Apache-2.0
"""How many ceremonies a second py_webauthn and python-fido2 verify, on one core.

    peers.py CEREMONIES SECONDS

One JSON line for each ceremony: `{"work": …, "py_webauthn": rate | null, "python-fido2": …}`;
null where the library refuses an honest answer, as it does for algorithms that it does not know.
"""

import json
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "EndToEnd" / "peers"))

from webauthn_opinions import JUDGES, opinion  # noqa: E402


def rate(judge, question, seconds):
    if opinion(judge, question) != "accepted":
        return None
    count, start = 0, time.perf_counter()
    while True:
        for _ in range(20):
            judge(question)
        count += 20
        elapsed = time.perf_counter() - start
        if elapsed > seconds:
            return count / elapsed


for text in open(sys.argv[1]):
    asked = json.loads(text)
    asked.setdefault("algorithms", [])
    rates = {name: rate(judge, asked, float(sys.argv[2]))
             for name, judge in JUDGES[asked["kind"]].items()}
    print(json.dumps({"work": asked["work"], **rates}), flush=True)
