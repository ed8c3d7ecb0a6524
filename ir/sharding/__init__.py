"""Who holds which coordinates: maps, fragments, and the view and checks of a distribution."""
