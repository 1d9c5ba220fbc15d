import parseRange from 'range-parser'

/**
 * What a `Range` header asks of a file of `size` bytes (RFC 9110, 14): one range, first and last byte
 * included, `unsatisfiable` (416), or null for the whole file, which is also the answer to several
 * ranges and to what is not a byte range at all.
 */
export function readByteRange(header: string | undefined, size: number) {
  const ranges = header === undefined ? -2 : parseRange(size, header)
  if (ranges === -1) return 'unsatisfiable'
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length > 1) return null
  return ranges[0] ?? null
}

/** Whether `If-Range` lets the range stand: absent, or exactly this strong ETag. */
export function rangeStillGood(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag
}

/** Whether `If-None-Match` names this ETag, or any. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
