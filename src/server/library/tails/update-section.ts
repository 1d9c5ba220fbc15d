import type { PdfDict } from '@libpdf/core'
import { spell } from './pdf-syntax.ts'
import { Unstampable } from './unstampable.ts'

/** The position of an appended object, in bytes from the beginning of the file. */
export interface Placed {
  readonly number: number
  readonly generation: number
  readonly position: number
}

export interface Section {
  readonly placed: readonly Placed[]
  /** The lowest number above those of all objects. */
  readonly free: number
  /** The trailer of the original file. */
  readonly trailer: PdfDict
  readonly file: Uint8Array
  /** Where the section begins, in bytes from the beginning of the file. */
  readonly position: number
}

/** How far before the end of a file the position of its last index is stored, in bytes. */
const END_BYTES = 2048

/** The index of appended objects, of the same kind as the file's last one: a table or a stream. */
export function writeSection(section: Section): string {
  const last = lastIndex(section.file)
  const placed = [...section.placed].sort((one, other) => one.number - other.number)
  const index = last.isTable
    ? tableOf(placed, { ...section, last })
    : streamOf(placed, { ...section, last })
  return `${index}startxref\n${section.position}\n%%EOF\n`
}

/** The position of the file's last index, and its kind. Throws `Unstampable`. */
function lastIndex(file: Uint8Array): { at: number; isTable: boolean } {
  const end = Buffer.from(file.subarray(-END_BYTES)).toString('latin1')
  const named = end.slice(Math.max(0, end.lastIndexOf('startxref')))
  const at = Number(/^startxref\s+(\d{1,12})\s/.exec(named)?.[1] ?? Number.NaN)
  if (!(at > 0 && at < file.length))
    throw new Unstampable('damaged', 'its index is not where it says')
  const start = Buffer.from(file.subarray(at, at + 32)).toString('latin1')
  if (/^\s*xref\s/.test(start)) return { at, isTable: true }
  if (/^\s*\d+\s+\d+\s+obj\b/.test(start)) return { at, isTable: false }
  throw new Unstampable('damaged', 'its index is not where it says')
}

type Given = Section & { readonly last: { readonly at: number } }

/** The entries of the old trailer that the new one repeats. */
function trailerEntries({ trailer, last }: Given, size: number): string {
  const kept = ['Root', 'Info', 'ID'].flatMap((key) => {
    const value = trailer.get(key)
    return value ? [`/${key} ${spell(value)}`] : []
  })
  return `/Size ${size}${kept.join('')}/Prev ${last.at}`
}

function tableOf(placed: readonly Placed[], given: Given): string {
  const runs = runsOf(placed).map((run) => {
    const lines = run.map(
      ({ position, generation }) =>
        `${String(position).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`,
    )
    return `${run[0]?.number} ${run.length}\n${lines.join('')}`
  })
  return `xref\n${runs.join('')}trailer\n<<${trailerEntries(given, given.free)}>>\n`
}

function streamOf(objects: readonly Placed[], given: Given): string {
  const index = { number: given.free, generation: 0, position: given.position }
  const placed = [...objects, index]
  const entries = Buffer.alloc(placed.length * 7)
  for (const [at, { position, generation }] of placed.entries()) {
    entries.writeUInt8(1, at * 7)
    entries.writeUInt32BE(position, at * 7 + 1)
    entries.writeUInt16BE(generation, at * 7 + 5)
  }
  const runs = runsOf(placed).map((run) => `${run[0]?.number} ${run.length}`)
  return (
    `${index.number} 0 obj\n<</Type/XRef/W[1 4 2]/Index[${runs.join(' ')}]` +
    `${trailerEntries(given, index.number + 1)}/Length ${entries.length}>>\n` +
    `stream\n${entries.toString('latin1')}\nendstream\nendobj\n`
  )
}

/** Objects in order, in runs of consecutive numbers. */
function runsOf(placed: readonly Placed[]): Placed[][] {
  const runs: Placed[][] = []
  for (const each of placed) {
    const run = runs.at(-1)
    if (run && run.at(-1)?.number === each.number - 1) run.push(each)
    else runs.push([each])
  }
  return runs
}
