"""The meaning of programs: syntax trees compiled to closures, run against the engine; outcomes, never text."""
