/** How long the way to the next page waits for what the header shows there (ms). */
const PATIENCE_MS = 4000

/** Waits until all of the work has ended, well or not, but no longer than the patience (ms). */
export async function settle(
  work: readonly Promise<unknown>[],
  patience = PATIENCE_MS,
): Promise<void> {
  const isTooLong = new Promise((resolve) => setTimeout(resolve, patience))
  await Promise.race([Promise.allSettled(work), isTooLong])
}
