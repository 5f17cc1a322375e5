/** Seeded randomness as an object handed in. */
export interface Random {
  /** Uniform in [0, 1) with 53 bits. */
  uniform(): number;
  /** Uniform integer in [0, n). @param n positive integer up to 2^32 */
  below(n: number): number;
  /** An independent stream, the same for the same name. */
  fork(name: string): Random;
}
