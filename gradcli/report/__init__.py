"""Outcomes to words: the catalogue says everything the product says; the views draw it rich, plain or as JSON."""
