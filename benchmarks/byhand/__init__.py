"""The pipeline that a careful user writes by hand, and ours, over the same documents and answers, in the same run."""
