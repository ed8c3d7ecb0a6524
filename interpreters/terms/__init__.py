"""The carrier that proves: hash-consed terms, their rules, and the first difference of two."""
