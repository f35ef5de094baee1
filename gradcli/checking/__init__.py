"""Which programs `gradcli check` runs, in how many processes, and what was recorded of them. No words, no streams."""
