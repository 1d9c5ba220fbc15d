import { PdfArray, PdfBool, PdfDict, PdfName, PdfNumber, PdfRef, PdfString } from '@libpdf/core'
import { Unstampable } from './unstampable.ts'

/**
 * The parser's replacement for bytes that are not UTF-8; the original bytes of the name are lost.
 */
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
