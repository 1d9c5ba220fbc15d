import { UPLOAD_PART_MAX_BYTES, UPLOAD_PART_MIN_BYTES } from '../../rules/uploads.ts'

const FIRST_BYTES = 64 * 1024
/** A part sent faster than this (ms) doubles the size of the next part; a slow one halves it. */
const QUICK_MS = 1500
const SLOW_MS = 6000

/** Adapts the size of upload parts so that each takes a few seconds on the current connection. */
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
