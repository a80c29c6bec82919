// SPDX-License-Identifier: Apache-2.0
#include "CPublicSuffix.h"

// A feature of C23 that clang has in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char rules[] = {
#embed "rules.txt" suffix(, 0)
};

const char *public_suffix_rules(void) { return rules; }
