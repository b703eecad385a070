"""Slack: the real slack-bolt against a stand-in of Slack."""
