"""PTX for SM86: kernels of NVIDIA GPUs."""
