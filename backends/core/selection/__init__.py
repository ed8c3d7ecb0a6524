"""Selection: from functions of the code level to rows, by tables of rules."""
