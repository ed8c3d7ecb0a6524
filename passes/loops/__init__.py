"""What the loop passes share: items of work, their loops, and how both are written."""
