"""Slack, through slack-bolt: Socket Mode or HTTP."""
