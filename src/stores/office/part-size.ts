import { UPLOAD_PART_MAX_BYTES, UPLOAD_PART_MIN_BYTES } from '../../rules/uploads.ts'

const FIRST_BYTES = 64 * 1024
/** A part that took less (ms) may be followed by a larger one, one that took more by a smaller one. */
const QUICK_MS = 1500
const SLOW_MS = 6000

/** How many bytes the next part has: as many as the line carries within some seconds. */
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
