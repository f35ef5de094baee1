"""The example programs; shipped with the package as `gradcli.examples`, because `gradcli explain CODE` shows some."""
