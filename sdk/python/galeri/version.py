"""Released together with the service, under the same version."""

VERSION = "1.0.0"
