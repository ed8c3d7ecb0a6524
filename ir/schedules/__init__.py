"""What every role does, frame by frame, and whether the roles' schedules fit together."""
