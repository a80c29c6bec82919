# SPDX-License-Identifier: Apache-2.0
"""state_schema.py SCHEMA FILE...: each YAML file is valid by the JSON Schema, and none is after a mistake."""
import json
import pathlib
import re
import sys

import jsonschema_rs
import yaml

MISTAKES = [
    ("#environment: production", "environment: testing"),
    ("#self_registration: false", "self_registration: perhaps"),
    ("access_token_lifetime: 3600", "access_token_lifetime: 1"),
    ("access: {groups: [staff]", "access: {group: [staff]"),
    ("in: [userinfo]", "in: [cookie]"),
    ("grant_types: [authorization_code,", "grant_types: [password,"),
    ("user_verification: required", "user_verification: always"),
    ("role: owner", "role: king"),
    ("client_name: Shop", "client_title: Shop"),
    ("client_id: shop", "client_uri: shop"),
]


def valid(schema, text):
    return [str(error) for error in schema.iter_errors(yaml.safe_load(text))]


schema = jsonschema_rs.validator_for(json.loads(pathlib.Path(sys.argv[1]).read_text()))
found = []
for file in sys.argv[2:]:
    text = pathlib.Path(file).read_text()
    # A setting that is commented out has no space behind its mark.
    for form in (text, re.sub(r"(?m)^( *)#(?=[a-z-])", r"\1", text)):
        found += valid(schema, form)
    for right, wrong in MISTAKES:
        if right not in text:
            found.append(f"{file} has no {right}")
        elif not valid(schema, text.replace(right, wrong, 1)):
            found.append(f"taken: {wrong}")
print("\n".join(found), end="")
