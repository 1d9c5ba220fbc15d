import { TooMuch } from '../pdf-filters.ts'
import { type FoundObject, objectsIn } from './pdf-objects.ts'
import { Unreadable } from './pdf-words.ts'

/** The actions that run something, with the entries of which one says what. */
const ACTIONS = Object.entries({
  '/JavaScript': ['/JS'],
  '/Rendition': ['/JS', '/R'],
  '/Launch': ['/F', '/Win', '/Mac', '/Unix'],
  '/ImportData': ['/F'],
})

/** The kinds of annotations that hold a file or play media. */
const ANNOTATIONS = ['/FileAttachment', '/RichMedia', '/Screen', '/3D', '/Movie', '/Sound']

const KINDS = [...ACTIONS.map(([action]) => action), ...ANNOTATIONS]

/** The entries of a file specification that lead to a file within the PDF, for each system. */
const FILES = ['/F', '/UF', '/DOS', '/Mac', '/Unix']

const NAMES = [
  ...ACTIONS.flatMap(([, entries]) => entries),
  ...FILES,
  ...['/S', '/Subtype', '/EF', '/XFA', '/Encrypt', '/Root'],
]

/**
 * Searches a PDF for what a printed document never needs: scripts, launched programs, files within
 * the file, media, forms in XML. `bomb`: reading it takes more than a document needs. `unknown`: it
 * has objects that cannot be read here and could be read by a viewer.
 */
export async function findActiveContent(
  pdf: Uint8Array,
): Promise<'active' | 'bomb' | 'unknown' | null> {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  const isActive = suspicion()
  try {
    for (const object of objectsIn(bytes, NAMES)) {
      if (isActive(object)) return 'active'
      // What viewers decrypt is not what was read here. PDFium has refused other encrypted files.
      if (object.said.has('/Encrypt') && object.said.has('/Root')) return 'unknown'
    }
    return null
  } catch (error) {
    if (error instanceof TooMuch) return 'bomb'
    if (error instanceof Unreadable) return 'unknown'
    throw error
  }
}

/**
 * Returns a function that says of each object whether it, or it together with those before, makes
 * the file active. References are not followed, since viewers may follow them to different objects:
 * each is taken to refer to whatever is in the file.
 */
function suspicion(): (object: FoundObject) => boolean {
  const seen = new Set<string>()
  const areSeen = (...parts: readonly string[]) => parts.every((part) => seen.has(part))

  return ({ said, alone }) => {
    for (const name of alone) {
      for (const kind of KINDS) if (name.startsWith(kind)) seen.add(kind)
    }
    for (const [name, words] of said) {
      for (const word of words) if (isActive(name, word, said)) return true
    }
    if (seen.size < 2) return false
    return (
      areSeen('embedded files', 'reference to a file') ||
      KINDS.some((kind) => areSeen(kind, `reference to ${kind}`))
    )
  }

  function isActive(name: string, word: string, said: FoundObject['said']): boolean {
    // Some viewers read only the beginning of a packed name.
    if (name === '/S') {
      if (word === '(' && said.has('/JS')) return true
      for (const [action, entries] of ACTIONS) {
        if (word !== 'R' && !word.startsWith(action)) continue
        if (!entries.some((entry) => said.has(entry))) continue
        if (word !== 'R') return true
        seen.add(`reference to ${action}`)
      }
    } else if (name === '/Subtype') {
      if (ANNOTATIONS.some((kind) => word.startsWith(kind))) return true
      if (word === 'R') for (const kind of ANNOTATIONS) seen.add(`reference to ${kind}`)
    } else if (name === '/JS') {
      if (word === '(') return true
    } else if (name === '/XFA') {
      if (word === 'R' || word === '[' || word === '(') return true
    } else if (name === '/EF') {
      if (word === 'R' || word === '<<') seen.add('embedded files')
    } else if (word === 'R' && FILES.includes(name)) {
      seen.add('reference to a file')
    }
    return false
  }
}
