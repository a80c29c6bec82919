// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// Search terms for names and email addresses of people (``SearchTerms``). Existing people, and
    /// those from a concurrent older version, are listed after the steps.
    static let personSearch: [SchemaStep] = [
        step(
            128, "person_terms",
            """
            CREATE TABLE person_terms (project_id {bytes} NOT NULL, term {text} NOT NULL,
            person_id {bytes} NOT NULL REFERENCES people ON DELETE CASCADE,
            PRIMARY KEY (project_id, term, person_id)){key}
            """),
        step(
            129, "person_terms_by_person",
            "CREATE INDEX person_terms_by_person ON person_terms (person_id, term)"),
        step(130, "people_listed", "ALTER TABLE people ADD COLUMN listed {integer}"),
        step(
            131, "people_unlisted",
            "CREATE INDEX people_unlisted ON people (id) WHERE listed IS NULL"),
    ]
}
