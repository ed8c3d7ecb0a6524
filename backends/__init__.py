"""What turns code into machine programs: a shared core and one folder a target."""
