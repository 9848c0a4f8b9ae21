"""What belongs to one game beside its rules: poker and bridge."""
