"""The service, through people who type and press."""
