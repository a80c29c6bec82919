# SPDX-License-Identifier: Apache-2.0
"""One question that comes to the example of an identity provider twice at the same moment, on two
threads that both look before either has written it down, if the example lets them. Says how many
were taken.

    question_race.py FOLDER-OF-THE-EXAMPLE
"""

import sys
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

from identity_provider import Questions  # noqa: E402

LOOKING = threading.Barrier(2)


class End:
    """The end of another question. Whoever looks at it waits until the other one looks as well."""

    def __gt__(self, now):
        try:
            LOOKING.wait(0.5)
        except threading.BrokenBarrierError:
            pass  # The other one may not look yet: that is how it should be.
        return True


questions, taken = Questions("http://localhost", "http://localhost/"), []
questions.seen["another"] = End()


def ask():
    try:
        questions.use_up("the same", 2, 1)
        taken.append(True)
    except ValueError:
        pass


threads = [threading.Thread(target=ask) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(taken))
