// SPDX-License-Identifier: Apache-2.0

/// Names of people: shown, searched, for accounts of devices, and held after a removal.
enum NamesSchema {
    /// The names of local accounts on devices, unique in a project (``Person/accountName``). A
    /// person receives one at the first request of a device.
    static let accountNames: [SchemaStep] = [
        .step(121, "people_account_name", "ALTER TABLE people ADD COLUMN account_name {text}"),
        .step(
            122, "people_by_account_name",
            """
            CREATE UNIQUE INDEX people_by_account_name ON people (project_id, account_name)
            WHERE account_name IS NOT NULL
            """),
    ]

    /// Names of people who were removed, which are not assigned to other people for a period. A row
    /// outlives its person, so it refers to none.
    static let heldNames: [SchemaStep] = [
        .step(
            132, "held_names",
            """
            CREATE TABLE held_names (project_id {bytes} NOT NULL, name {text} NOT NULL,
            held_until {integer} NOT NULL, PRIMARY KEY (project_id, name)){key}
            """),
        .step(
            133, "held_names_by_end",
            "CREATE INDEX held_names_by_end ON held_names (held_until)"),
    ]

    /// Search terms for names and email addresses of people (``SearchTerms``). Existing people, and
    /// those from a concurrent older version, are listed after the steps.
    static let personSearch: [SchemaStep] = [
        .step(
            128, "person_terms",
            """
            CREATE TABLE person_terms (project_id {bytes} NOT NULL, term {text} NOT NULL,
            person_id {bytes} NOT NULL REFERENCES people ON DELETE CASCADE,
            PRIMARY KEY (project_id, term, person_id)){key}
            """),
        .step(
            129, "person_terms_by_person",
            "CREATE INDEX person_terms_by_person ON person_terms (person_id, term)"),
        .step(130, "people_listed", "ALTER TABLE people ADD COLUMN listed {integer}"),
        .step(
            131, "people_unlisted",
            "CREATE INDEX people_unlisted ON people (id) WHERE listed IS NULL"),
    ]

    /// The username that applications receive, unique in a project (``Person/shownName``).
    static let shownNames: [SchemaStep] = [
        .step(117, "people_shown_name", "ALTER TABLE people ADD COLUMN shown_name {text}"),
        // Names of the project's own realm were unique before. People of other realms get theirs
        // after the steps.
        .step(
            118, "people_shown_name_of_before",
            "UPDATE people SET shown_name = username WHERE username NOT LIKE '%\u{1F}%'"),
        .step(
            119, "people_by_shown_name",
            "CREATE UNIQUE INDEX people_by_shown_name ON people (project_id, shown_name)"),
        .step(
            120, "people_without_shown_name",
            """
            CREATE INDEX people_without_shown_name ON people (created_at, id)
            WHERE shown_name IS NULL
            """),
    ]
}
