"""Programs as kernels: functions that many threads run at once."""
