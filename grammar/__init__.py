"""The grammar of tensor programs and the parser tables made from it, shipped as package data."""
