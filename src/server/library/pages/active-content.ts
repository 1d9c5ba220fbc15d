import { TooMuch } from '../pdf-filters.ts'
import { type FoundObject, objectsIn, Unreadable } from './pdf-objects.ts'

/** The actions that run something, with the entries that say what. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  '/JavaScript': ['/JS'],
  '/Rendition': ['/JS', '/R'],
  '/Launch': ['/F', '/Win', '/Mac', '/Unix'],
  '/ImportData': ['/F'],
}

/** The kinds of annotations that hold a file or play media. */
const ANNOTATIONS = ['/FileAttachment', '/RichMedia', '/Screen', '/3D', '/Movie', '/Sound']

/** The entries of a file specification that lead to a file within the PDF, for each system. */
const FILES = ['/F', '/UF', '/DOS', '/Mac', '/Unix']

const NAMES = [
  ...Object.values(ACTIONS).flat(),
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
 * what is active in one object of the file is taken for what the other refers to.
 */
function suspicion(): (object: FoundObject) => boolean {
  const seen = new Set<string>()
  const areSeen = (...parts: readonly string[]) => parts.every((part) => seen.has(part))

  return ({ said, alone }) => {
    // Some viewers may read only the beginning of a packed name.
    const says = (name: string, value: string) =>
      [...(said.get(name) ?? [])].some((word) => word.startsWith(value))
    const refers = (name: string) => says(name, 'R')

    for (const [action, entries] of Object.entries(ACTIONS)) {
      const isComplete = entries.some((name) => said.has(name))
      if (isComplete && says('/S', action)) return true
      if (isComplete && refers('/S')) seen.add(`reference to ${action}`)
    }
    if (ANNOTATIONS.some((kind) => says('/Subtype', kind))) return true
    if (refers('/Subtype')) seen.add('reference to an annotation')
    for (const name of alone) {
      for (const action of Object.keys(ACTIONS)) if (name.startsWith(action)) seen.add(action)
      if (ANNOTATIONS.some((kind) => name.startsWith(kind))) seen.add('an annotation')
    }

    if (says('/JS', '(') || (said.has('/JS') && says('/S', '('))) return true
    if (['R', '[', '('].some((value) => says('/XFA', value))) return true
    if (refers('/EF') || says('/EF', '<<')) seen.add('embedded files')
    if (FILES.some(refers)) seen.add('reference to a file')

    return (
      areSeen('embedded files', 'reference to a file') ||
      areSeen('reference to an annotation', 'an annotation') ||
      Object.keys(ACTIONS).some((action) => areSeen(`reference to ${action}`, action))
    )
  }
}
