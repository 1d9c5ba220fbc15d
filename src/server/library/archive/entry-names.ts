import { downloadName } from '../../../rules/downloads.ts'

/** Names that Windows reserves for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)\./i

/**
 * The name of each file in the ZIP, the same as for its download; names are unique even if case is
 * ignored.
 */
export function entryNames(
  files: readonly { readonly title: string; readonly fileType: string }[],
): string[] {
  const taken = new Set<string>()
  return files.map(({ title, fileType }) => {
    const { utf8 } = downloadName(title, fileType)
    const safe = DEVICE.test(utf8) ? `_${utf8}` : utf8
    const ending = /\.[^.]*$/.exec(safe)?.[0] ?? ''
    const stem = safe.slice(0, safe.length - ending.length)
    let name = safe
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${stem} (${count})${ending}`
    taken.add(name.toLowerCase())
    return name
  })
}
