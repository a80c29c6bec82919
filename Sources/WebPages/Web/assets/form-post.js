// SPDX-License-Identifier: Apache-2.0
// The page holds one form, which goes off by itself: an answer of OAuth 2.0 Form Post Response Mode,
// or a form that a sign-in interrupted. Without this file a person presses its button.
document.forms[0]?.submit();
