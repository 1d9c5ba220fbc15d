import { UPLOAD_PART_MAX_BYTES, UPLOAD_PART_MIN_BYTES } from '../../rules/uploads.ts'

const FIRST_BYTES = 64 * 1024
/** After a part that took less time (ms) the next may be larger; after one that took more, smaller. */
const QUICK_MS = 1500
const SLOW_MS = 6000

/** The size of the next part in bytes: as much as the connection carries within some seconds. */
export function createPartSize() {
  let bytes = FIRST_BYTES
  const halve = () => {
    bytes = Math.max(bytes / 2, UPLOAD_PART_MIN_BYTES)
  }
  return {
    bytes: () => bytes,
    took(ms: number): void {
      if (ms < QUICK_MS) bytes = Math.min(bytes * 2, UPLOAD_PART_MAX_BYTES)
      else if (ms > SLOW_MS) halve()
    },
    failed: halve,
  }
}
