/** How long opening the next page waits for the data of its header (ms). */
const PATIENCE_MS = 4000

/** Waits until all work has ended, successfully or not, but no longer than `patience` (ms). */
export async function settle(
  work: readonly Promise<unknown>[],
  patience = PATIENCE_MS,
): Promise<void> {
  const isTooLong = new Promise((resolve) => setTimeout(resolve, patience))
  await Promise.race([Promise.allSettled(work), isTooLong])
}
