"""The command line: arguments to sources and settings, outcomes to streams, the worst outcome to the exit status."""
