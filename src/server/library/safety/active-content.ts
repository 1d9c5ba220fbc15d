import { TooMuch } from './pdf-filters.ts'
import { type FoundObject, type NumberedObject, objectsIn } from './pdf-objects.ts'
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

/** The entries whose actions run by themselves, when a document or a page of it opens or closes. */
const TRIGGERS = ['/OpenAction', '/AA']
/** The entries of `/AA`, one for each event. */
const EVENTS = 'O C WC WS DS WP DP E X D U Fo Bl PO PC PV PI K F V'.split(' ').map((e) => `/${e}`)

/** The actions that reach beyond the document: harmless where somebody taps them as a link. */
const REACHING = [
  ...['/URI', '/SubmitForm', '/GoToR', '/GoToE', '/Thread', '/Launch', '/ImportData'],
  ...['/Rendition', '/Movie', '/Sound', '/RichMediaExecute', '/JavaScript'],
]
/** The commands of a viewer that only turn pages; there are others, such as for printing. */
const TURNING = ['/NextPage', '/PrevPage', '/FirstPage', '/LastPage']

const NAMES = [
  ...ACTIONS.flatMap(([, entries]) => entries),
  ...FILES,
  ...['/S', '/Subtype', '/EF', '/XFA', '/Encrypt', '/Root'],
]

/**
 * Searches a PDF for what a printed document never needs: scripts, launched programs, files within
 * the file, media, forms in XML, and actions that reach beyond it by themselves. `bomb`: reading it takes more than a document needs. `unknown`: it
 * has objects that cannot be read here and could be read by a viewer.
 */
export async function findActiveContent(
  pdf: Uint8Array,
): Promise<'active' | 'bomb' | 'unknown' | null> {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  const isActive = suspicion()
  const opening = openingActions()
  try {
    for (const object of objectsIn(bytes, NAMES, [...TRIGGERS, '/Next'])) {
      if (isActive(object) || opening.isReachingItself(object)) return 'active'
      opening.note(object)
      // Viewers decrypt other text than was read here. PDFium has refused other encrypted files.
      if (object.said.has('/Encrypt') && object.said.has('/Root')) return 'unknown'
    }
    if (opening.elsewhere().size > 0) {
      for (const object of objectsIn(bytes, NAMES, EVENTS)) opening.noteEvents(object)
    }
    return opening.isReaching() ? 'active' : null
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

/**
 * Finds actions that run by themselves and reach beyond the document, such as to a web page. Links
 * are the same actions: what begins one decides, so these references are followed, by the numbers
 * of objects, to each object that has the number.
 */
function openingActions() {
  /** The numbers of actions that run by themselves, and of dictionaries of such actions. */
  const started = new Set<number>()
  const dictionaries = new Set<number>()
  /** Which objects reach beyond the document, and which come after each, by number. */
  const reaching = new Set<number>()
  const next = new Map<number, Set<number>>()
  let isAnyReaching = false

  const addTo = (all: Set<number>, more: Iterable<number> = []) => {
    for (const each of more) all.add(each)
  }

  return {
    elsewhere: () => dictionaries,
    /** Whether an object has such an action within itself. */
    isReachingItself: ({ said }: NumberedObject): boolean =>
      TRIGGERS.some((name) => said.get(name)?.has('<<')) && reachesBeyond(said),
    note({ said, leads, numbers }: NumberedObject): void {
      addTo(started, leads.get('/OpenAction'))
      addTo(started, leads.get('/AA in'))
      addTo(started, leads.get('/AA'))
      addTo(dictionaries, leads.get('/AA'))
      const isReaching = reachesBeyond(said)
      if (numbers === null) isAnyReaching ||= isReaching
      else if (isReaching) addTo(reaching, numbers)
      const after = [...(leads.get('/Next') ?? []), ...(leads.get('/Next in') ?? [])]
      if (after.length === 0) return
      for (const number of numbers ?? []) {
        const all = next.get(number) ?? new Set()
        next.set(number, all)
        addTo(all, after)
      }
    },
    /** Notes the actions of a dictionary that `/AA` refers to. */
    noteEvents({ leads, numbers }: NumberedObject): void {
      if (numbers && !numbers.some((number) => dictionaries.has(number))) return
      for (const event of EVENTS) addTo(started, leads.get(event))
    },
    isReaching(): boolean {
      // A set that grows is iterated to its new end.
      for (const number of started) addTo(started, next.get(number))
      return started.size > 0 && (isAnyReaching || [...started].some((one) => reaching.has(one)))
    },
  }
}

/** Whether an object is, or has in itself, an action that reaches beyond the document. */
function reachesBeyond(said: FoundObject['said']): boolean {
  for (const word of said.get('/S') ?? []) {
    if (word === 'R' || word === '(') return true
    if (REACHING.some((action) => word.startsWith(action))) return true
    if (!word.startsWith('/Named')) continue
    for (const command of said.get('/N') ?? []) if (!TURNING.includes(command)) return true
  }
  return false
}
