"""What the tools do, one a file; the console scripts beside this folder only start them."""
