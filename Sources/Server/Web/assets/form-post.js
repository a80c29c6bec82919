// SPDX-License-Identifier: Apache-2.0
// OAuth 2.0 Form Post Response Mode: the page holds one form, which goes off by itself. Without
// this file a person presses its button.
document.forms[0]?.submit();
