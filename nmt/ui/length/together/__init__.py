"""The view "Concatenate sentences" of the place Length: what is lost when several sentences are translated as one."""
