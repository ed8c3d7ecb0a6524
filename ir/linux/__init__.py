"""The system interface of Linux on x86-64 and AArch64: numbers of calls, values of names."""
