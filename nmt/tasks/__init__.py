"""Long work: jobs in the background, a lock with two priorities, progress reports and cancellation."""
