# SPDX-License-Identifier: Apache-2.0
"""Names keys that an issuer does not have to the example of an identity provider, on many threads, and
says how often it asked the issuer: at once, after its time, while the issuer is away, and afterwards;
then whether one that it has is had while somebody looks.

    question_keys.py FOLDER-OF-THE-EXAMPLE
"""

import sys
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

import identity_provider  # noqa: E402

NOW = [1000.0]


class Clock:
    """Time as this script has it."""

    @staticmethod
    def monotonic():
        return NOW[0]


class Issuer(identity_provider.Questions):
    looks, is_away = 0, False

    def load_keys(self):
        self.looks += 1
        if self.is_away:
            raise OSError("away")
        self.keys = {"one": {}}


identity_provider.time = Clock
questions = Issuer("http://localhost", "http://localhost/")


def name(kid):
    try:
        questions.key(kid)
    except (KeyError, OSError):
        pass


def look_of(kids):
    """How often the issuer was asked for all of these."""
    before = questions.looks
    threads = [threading.Thread(target=name, args=(kid,)) for kid in kids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return questions.looks - before


strangers = [f"stranger {number}" for number in range(20)]
print(look_of(strangers), look_of(["one"] * 5))
NOW[0] += identity_provider.RENEWAL
print(look_of(strangers))
NOW[0] += identity_provider.RENEWAL
questions.is_away, questions.keys = True, {}
print(look_of(strangers))
NOW[0] += 1
questions.is_away = False
print(look_of(["one"]), "one" in questions.keys)
with questions.key_lock:
    # As while somebody looks: a key in hand is had all the same.
    asker = threading.Thread(target=name, args=("one",))
    asker.start()
    asker.join(10)
    print(not asker.is_alive())
