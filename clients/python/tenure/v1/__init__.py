"""Generated from proto/tenure/v1: messages, enums and stubs."""
