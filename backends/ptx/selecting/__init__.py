"""Which rows operations of the code level become."""
