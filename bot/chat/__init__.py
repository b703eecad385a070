"""The port: what chat surfaces and the engine tell each other, free of any platform's styling."""
