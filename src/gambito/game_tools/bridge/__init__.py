"""Bridge beside its rules: contracts and their scores, deals in PBN, tables of results, par, claims."""
