/* The peer that adds by MPI: MPI_Allreduce of doubles.

   mpirun -n ROLES combine_mpi WORDS ROUNDS; process 0 prints the seconds of a round. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int role;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &role);
  if (argc < 3) MPI_Abort(MPI_COMM_WORLD, 2);
  const long words = atol(argv[1]), rounds = atol(argv[2]);
  double *given = malloc(8 * words), *total = malloc(8 * words), begun = 0;
  for (long k = 0; k < words; k++) given[k] = role + 1.0 / (k + 1);
  for (long round = 0; round < rounds; round++) {
    if (round == 1) begun = MPI_Wtime();
    MPI_Allreduce(given, total, (int)words, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  if (!role) printf("%.9g\n", (MPI_Wtime() - begun) / (rounds - 1));
  MPI_Finalize();
  return 0;
}
