"""What `gradcli trace` prints: the steps of a query in rows, and rows as text, Markdown and JSON."""
