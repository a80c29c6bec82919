// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

// From now on double quotes name columns and tables, and never make a text of a misspelt name. Swift
// cannot call `sqlite3_db_config`, which takes a variable number of arguments.
static inline void sqlite_refuse_double_quoted_text(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
}
