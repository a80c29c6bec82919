# SPDX-License-Identifier: Apache-2.0
"""What the provider holds of machines, as an administrator sees it: a message that is refused leaves all of it as it
was, but for when something was last heard of."""

from mac import need

HEARD_OF = {"last_seen_at", "last_sign_in_at"}


def settled(value):
    if isinstance(value, dict):
        return {name: settled(held) for name, held in value.items() if name not in HEARD_OF}
    return [settled(held) for held in value] if isinstance(value, list) else value


class Standing:
    """Of all machines what their list says, of these two their keys and their people as well; and how often each
    registration token was used."""

    def __init__(self, provider, *macs):
        self.provider, self.macs = provider, {mac.serial for mac in macs}

    def now(self):
        project = "/projects/default"
        machines = self.provider.admin("GET", project + "/devices")["items"]
        shown = [self.provider.admin("GET", f"{project}/devices/{machine['id']}")
                 for machine in machines if machine["serial_number"] in self.macs]
        need(len(shown) == len(self.macs), shown)
        tokens = self.provider.admin("GET", project + "/registration-tokens")["items"]
        return settled([machines, shown, tokens])
