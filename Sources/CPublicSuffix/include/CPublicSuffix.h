// SPDX-License-Identifier: Apache-2.0
#ifndef CPUBLICSUFFIX_H
#define CPUBLICSUFFIX_H

/// The content of rules.txt, which ends with a zero: comments that begin with `//`, then one rule a
/// line.
const char *public_suffix_rules(void);

#endif
