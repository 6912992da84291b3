"""What a seat or a spectator may see, and how it is shown."""
