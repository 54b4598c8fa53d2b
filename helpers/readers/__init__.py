"""One module a format; each turns a file's content into a `Document`. `parsing` chooses among them."""
