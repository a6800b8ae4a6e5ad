"""Compare ours with a pipeline that a careful user writes by hand, over the same documents and answers."""
