"""What `gradcli check` found, as lines, TAP, GitHub's commands or JUnit's XML: one model (`record`), several views."""
