/** The middle value; of an even number of them the lower of the two. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** The smallest value that at least this share (0 to 1) of them does not exceed; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
