"""What `alpha simulate` is made of: its flags, the protocol that it models, and its reports."""
