// SPDX-License-Identifier: Apache-2.0
// Without ICU, whose headers define anew, and otherwise, what those of Swift's own define. Nothing
// that depends on it is looked into here.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/c14n.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlIO.h>
