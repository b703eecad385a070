"""Speed, as ratios against floors that are measured in the same run."""
