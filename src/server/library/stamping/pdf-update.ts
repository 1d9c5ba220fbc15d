import { PdfArray, PdfBool, PdfDict, PdfName, PdfNumber, PdfRef, PdfString } from '@libpdf/core'
import type { UnstampableReason } from '../../../rules/stamp.ts'

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

/** The parser's sign for bytes that are not UTF-8 and are lost. */
const LOST = '\ufffd'
const DELIMITER = /[^\x21-\x7e]|[#()<>[\]{}/%]/g

/** A PDF object in the syntax of the file, one character per byte. Throws `Unstampable`. */
export function spell(object: unknown): string {
  if (object instanceof PdfRef) return `${object.objectNumber} ${object.generation} R`
  if (object instanceof PdfName) return spellName(object.value)
  if (object instanceof PdfNumber) return spellNumber(object.value)
  if (object instanceof PdfBool) return String(object.value)
  if (object instanceof PdfString) return `<${Buffer.from(object.bytes).toString('hex')}>`
  if (object instanceof PdfArray) return `[${[...object].map(spell).join(' ')}]`
  if (object instanceof PdfDict && object.type === 'dict') {
    const entries = [...object].map(([key, value]) => `${spellName(key.value)} ${spell(value)}`)
    return `<<${entries.join(' ')}>>`
  }
  if (object === null || (object as { type?: unknown }).type === 'null') return 'null'
  throw new Unstampable('unusual', 'an object of an unknown kind')
}

export function spellName(name: string): string {
  if (name.includes(LOST)) throw new Unstampable('unusual', 'a name that is no UTF-8')
  const bytes = Buffer.from(name).toString('latin1')
  const escaped = bytes.replace(
    DELIMITER,
    (byte) => `#${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return `/${escaped}`
}

/** A number without an exponent, which PDF does not support. */
export function spellNumber(value: number): string {
  if (!Number.isFinite(value)) throw new Unstampable('unusual', 'a number without a value')
  if (Number.isInteger(value)) return value.toFixed(0)
  const [spelled = ''] = /^-?\d+(?:\.\d*[1-9])?/.exec(value.toFixed(6)) ?? []
  return spelled
}

/** Returns an object, or the one that it refers to; null if there is none. */
export type Resolve = (object: unknown) => unknown

/** How deep a tree of pages may be. */
const DEPTH_MAX = 64

/** An attribute of a page, or of the nearest node above it that has it. */
export function inherited(page: PdfDict, name: string, resolve: Resolve): unknown {
  let node: unknown = page
  for (let depth = 0; depth < DEPTH_MAX && node instanceof PdfDict; depth++) {
    const found = resolve(node.get(name) ?? null)
    if (found !== null) return found
    node = resolve(node.get('Parent') ?? null)
  }
  return null
}

export function resolver(lookUp: (ref: PdfRef) => unknown): Resolve {
  return (object) => {
    let found: unknown = object ?? null
    for (let steps = 0; found instanceof PdfRef && steps < DEPTH_MAX; steps++) {
      found = lookUp(found) ?? null
    }
    return found instanceof PdfRef || (found as { type?: string } | null)?.type === 'null'
      ? null
      : found
  }
}

/** Thrown for a PDF that cannot be stamped without a risk. */
export class Unstampable extends Error {
  readonly reason: UnstampableReason

  constructor(reason: UnstampableReason, detail: string) {
    super(detail)
    this.reason = reason
  }
}
