/**
 * The range that a `Range` header requests of a file of `size` bytes (RFC 9110, 14), first and last
 * byte inclusive; `unsatisfiable` (416); or null for the whole file, which is also the answer to
 * several ranges and to anything that is not a byte range.
 */
export function readByteRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const range = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '')
  if (!range) return null
  const [, first = '', last = ''] = range
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return null
  return start >= size ? 'unsatisfiable' : { start, end }
}

/**
 * Whether the range may be served under `If-Range`: the header is absent, or equals this strong
 * ETag.
 */
export function rangeStillGood(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag
}

/** Whether `If-None-Match` contains this ETag, or `*`. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
