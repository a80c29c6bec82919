# SPDX-License-Identifier: Apache-2.0
"""The speed and size of Gatehouse, measured beside its peers on one machine in one run."""
