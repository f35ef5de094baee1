"""Text to checked program: source, lexer, parser, syntax tree, names. It never heard of NumPy."""
