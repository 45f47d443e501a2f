"""What the paper's models are held against, and studies beside the paper; nothing in nmt imports it."""
