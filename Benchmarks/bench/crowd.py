# SPDX-License-Identifier: Apache-2.0
"""Fills a Gatehouse database on PostgreSQL by SQL: people with what sign-in and the console look up
with them, and ten audit events for each person, of the last 390 days.

Every row is a function of its number, so look-ups can name the rows that exist."""

import concurrent.futures
import hashlib
import time

EVENTS_EACH = 10
DAYS = 390
TABLES = ["people", "person_terms", "credentials", "sessions", "grants", "group_members",
          "audit_events"]
GIVEN = ["anna", "bruno", "clara", "david", "elena", "felix", "greta", "hugo", "ines", "jonas",
         "karla", "lukas", "maria", "nils", "olga", "paul", "rosa", "simon", "tilda", "ulf"]
# Actions of the events whose number ends so, in thousandths.
ACTIONS = """CASE WHEN n % 1000 < 700 THEN 'token.refresh'
    WHEN n % 1000 < 900 THEN 'sign-in.password' WHEN n % 1000 < 980 THEN 'token.authorization_code'
    WHEN n % 1000 < 995 THEN 'sign-in.password' ELSE 'admin.person.update' END"""
REFUSED = "n % 1000 BETWEEN 980 AND 994"


def word(number):
    return hashlib.md5(str(number).encode()).hexdigest()


def username(number):
    return "p" + word(number)[:12]


def family(number):
    return "f" + word(number)[12:22]


def given(number):
    return GIVEN[number % len(GIVEN)]


def email(number):
    return f"{given(number)}.{family(number)}@example.org"


def request(number):
    return word(number)[:16]


def teams(people):
    """Of fifty each."""
    return max(1, people // 50)


def team(number, people):
    return f"team-{number % teams(people):07}"


def functions(people, now):
    """SQL functions of a row's number, for one session."""
    span = DAYS * 86_400_000
    made = "LANGUAGE sql IMMUTABLE AS"
    names = ",".join(f"'{name}'" for name in GIVEN)
    return f"""
    CREATE FUNCTION pg_temp.at(n bigint, total bigint) RETURNS bigint {made}
    $$ SELECT {now - span} + (n * {span / 1e6} / total * 1e6)::bigint $$;
    CREATE FUNCTION pg_temp.id(at bigint, n bigint) RETURNS bytea {made}
    $$ SELECT decode(lpad(to_hex(at), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'), 'hex') $$;
    CREATE FUNCTION pg_temp.person(n bigint) RETURNS bytea {made}
    $$ SELECT pg_temp.id(pg_temp.at(n, {people}), n) $$;
    CREATE FUNCTION pg_temp.given(n bigint) RETURNS text {made}
    $$ SELECT (ARRAY[{names}])[n % {len(GIVEN)} + 1] $$;
    CREATE FUNCTION pg_temp.family(n bigint) RETURNS text {made}
    $$ SELECT 'f' || substr(md5(n::text), 13, 10) $$;
    CREATE FUNCTION pg_temp.email(n bigint) RETURNS text {made}
    $$ SELECT pg_temp.given(n) || '.' || pg_temp.family(n) || '@example.org' $$;
    SET session_replication_role = replica;
    SET synchronous_commit = off;
    """


def fill_people(people):
    default = "(SELECT id FROM projects WHERE name = 'default')"
    numbers = f"generate_series(1, {people}::bigint) n"
    return f"""
    INSERT INTO people (id, project_id, username, verified_email, claims, disabled, created_at,
      shown_name, listed, realm, user_name)
    SELECT pg_temp.person(n), {default}, u, pg_temp.email(n), '{{"email":"' || pg_temp.email(n)
      || '","email_verified":true,"name":"' || pg_temp.given(n) || ' ' || pg_temp.family(n)
      || '","updated_at":1795797216}}', 0, pg_temp.at(n, {people}), u, 1, '', u
    FROM {numbers}, LATERAL (SELECT 'p' || substr(md5(n::text), 1, 12) u) names;
    INSERT INTO person_terms (project_id, term, person_id)
    SELECT {default}, term, pg_temp.person(n) FROM {numbers}, LATERAL (VALUES
      (pg_temp.given(n) || ' ' || pg_temp.family(n)), (pg_temp.family(n)), (pg_temp.email(n)))
      terms (term) ORDER BY term;
    INSERT INTO group_members (project_id, group_name, sort_name, person_id)
    SELECT {default}, g, 'p' || substr(md5(n::text), 1, 12), pg_temp.person(n)
    FROM {numbers}, LATERAL (VALUES ('everybody'), ('team-' || lpad((n % {teams(people)})::text,
      7, '0'))) groups (g) ORDER BY g;
    INSERT INTO credentials (id, project_id, person_id, kind, external_id, public_part, details,
      label, sign_count, created_at)
    SELECT pg_temp.person(n), {default}, pg_temp.person(n), 'password', pg_temp.person(n),
      (SELECT public_part FROM credentials c JOIN people p ON p.id = c.person_id
      WHERE p.username = 'user1' AND c.kind = 'password'), '{{}}', '', 0, pg_temp.at(n, {people})
    FROM {numbers};
    INSERT INTO sessions (id, project_id, person_id, secret_hash, authentication_methods,
      authenticated_at, last_seen_at, expires_at, device, address, factors)
    SELECT pg_temp.person(n), {default}, pg_temp.person(n), sha256(n::text::bytea), 'pwd', at, at,
      at + 34560000000, '', '192.0.2.1', ''
    FROM {numbers}, LATERAL (SELECT pg_temp.at(n, {people}) at) times WHERE n % 10 = 0;
    INSERT INTO grants (id, project_id, client_id, person_id, session_id, scope,
      authentication_methods, authenticated_at, generation, rotated_at, created_at, expires_at,
      code_hash, redirect_uri, redirect_uri_was_sent, redeemed_at, delete_after, context_class,
      shows_key, is_federated)
    SELECT pg_temp.person(n), {default}, (SELECT id FROM clients WHERE client_id = 'web'),
      pg_temp.person(n), NULL, 'openid offline_access', 'pwd', at, 1, at, at, at + 34560000000,
      sha256(n::text::bytea), 'http://localhost:1/callback', 1, at, at + 34560000000, '', 0, 0
    FROM {numbers}, LATERAL (SELECT pg_temp.at(n, {people}) at) times;
    """


def fill_audit(people, first, last):
    """Events with those numbers. One in a hundred is of a device, which has fifty."""
    events = people * EVENTS_EACH
    devices = max(1, events // 5000)
    return f"""
    INSERT INTO audit_events (id, project_id, at, action, outcome, code, person_id, client_id,
      address, request_id, details, occurrences, device_id)
    SELECT pg_temp.id(at, n), (SELECT id FROM projects WHERE name = 'default'), at, {ACTIONS},
      CASE WHEN {REFUSED} THEN 'refused' ELSE 'accepted' END,
      CASE WHEN {REFUSED} THEN 'wrong_password' END,
      pg_temp.person((hashint8(n) & 2147483647) % {people} + 1),
      CASE WHEN n % 1000 >= 995 THEN NULL WHEN n % 10 = 3 AND NOT {REFUSED} THEN 'quiet'
      ELSE 'web' END, '192.0.2.1', substr(md5(n::text), 1, 16),
      CASE WHEN device IS NULL THEN '{{}}' ELSE '{{"device":"' || device || '"}}' END, 1, device
    FROM generate_series({first}, {last}::bigint) n,
      LATERAL (SELECT pg_temp.at(n, {events}) at, CASE WHEN n % 1000 BETWEEN 900 AND 909
      THEN '01a21dda-ed57-7c0e-b51d-' || lpad(to_hex((n / 1000) % {devices}), 12, '0') END device)
      facts;
    """


def device(number):
    return f"01a21dda-ed57-7c0e-b51d-{number:012x}"


def fill(postgresql, database, people):
    """Without the indexes that are not keys; they are built afterwards."""
    def run(text):
        postgresql.sql(text, database=database)

    def in_turn(*texts):
        for text in texts:
            run(text)
    now = int(time.time() * 1000)
    made = functions(people, now)
    tables = ",".join(f"'{table}'" for table in TABLES)
    indexes = [line.split("\t") for line in postgresql.sql(
        f"""SELECT tablename || chr(9) || c.oid::regclass || chr(9)
        || replace(indexdef, chr(10), ' ') FROM pg_indexes
        JOIN pg_class c ON c.relname = indexname WHERE tablename IN ({tables})
        AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = c.oid)""",
        database=database).splitlines()]
    run(";".join(f"DROP INDEX {name}" for _, name, _ in indexes))
    builds = {True: [], False: []}
    for table, _, definition in indexes:
        builds[table == "audit_events"].append(definition)
    halves = [(made + fill_people(people), *builds[False]),
              (made + fill_audit(people, 1, people * EVENTS_EACH), *builds[True])]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda half: in_turn(*half), halves))
    run("VACUUM ANALYZE")
