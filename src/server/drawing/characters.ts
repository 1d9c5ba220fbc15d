// Which characters a font has, by its table `cmap` (OpenType 1.9, subtable of format 4), which all
// the committed fonts have: <https://learn.microsoft.com/typography/opentype/spec/cmap>.

/** The code points of a TrueType font's characters. */
export function charactersOf(file: Buffer): Set<number> {
  const cmap = tableOf(file, 'cmap')
  const count = file.readUInt16BE(cmap + 2)
  const found = new Set<number>()
  for (let record = cmap + 4; record < cmap + 4 + 8 * count; record += 8) {
    const at = cmap + file.readUInt32BE(record + 4)
    if (file.readUInt16BE(at) === 4) addSegments(file, at, found)
  }
  return found
}

function tableOf(file: Buffer, tag: string): number {
  const count = file.readUInt16BE(4)
  for (let record = 12; record < 12 + 16 * count; record += 16) {
    if (file.toString('latin1', record, record + 4) === tag) return file.readUInt32BE(record + 8)
  }
  throw new Error(`the font has no table ${tag}`)
}

function addSegments(file: Buffer, at: number, found: Set<number>): void {
  const twice = file.readUInt16BE(at + 6)
  const ends = at + 14
  const starts = ends + twice + 2
  const deltas = starts + twice
  const offsets = deltas + twice
  for (let segment = 0; segment < twice; segment += 2) {
    const start = file.readUInt16BE(starts + segment)
    const end = file.readUInt16BE(ends + segment)
    const delta = file.readUInt16BE(deltas + segment)
    const offset = file.readUInt16BE(offsets + segment)
    for (let point = start; point <= end && point < 0xffff; point++) {
      const place = offsets + segment + offset + 2 * (point - start)
      const glyph = offset === 0 ? point + delta : file.readUInt16BE(place)
      // The glyph 0 is that of missing characters.
      if ((glyph & 0xffff) !== 0) found.add(point)
    }
  }
}
