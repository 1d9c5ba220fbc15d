import { CATALOG, damaged, draft, LINK, PAGES, page, SCRIPT, type Tricky } from './pdf-draft.ts'

// PDFs whose objects viewers find in different places.

/** Two revisions, in which object 4 is one and then the other. */
function revised(first: string, second: string): Buffer {
  const file = draft().document().object(4, first)
  const previous = file.length()
  file.table()
  return file
    .object(4, second)
    .table(`/Prev ${previous}`, { 4: file.places[4] ?? 0 })
    .end()
}

/** A file with a table for old viewers, and a stream in which newer ones find object 4. */
function hybrid(): Buffer {
  const file = draft().document().object(4, LINK)
  const { 4: harmless = 0 } = file.places
  file.object(4, SCRIPT)
  const { 4: script = 0 } = file.places
  const stream = file.length()
  file.indexStream(39, '', { 4: script })
  return file.table(`/XRefStm ${stream}`, { ...file.places, 4: harmless }).end()
}

/** A file whose last index is before its first one, as in a file that is sent page by page. */
function linearised(): Buffer {
  const file = draft().object(9, '<< /Linearized 1 /L 9 /H [0 0] /O 3 /E 9 /N 1 /T 9 >>')
  file.document()
  const first = { ...file.places }
  const at = file.length()
  file.object(4, SCRIPT)
  const main = file.length()
  file.table('', { 4: file.places[4] ?? 0 })
  return at > 0 ? file.table(`/Prev ${main}`, first).end() : file.end()
}

/** An index that places object 4 in the data of a stream or a string of another object. */
function placedIn(before: string, after: string): Buffer {
  const file = draft().document()
  file.raw(`8 0 obj\n${before}`)
  file.places[4] = file.length()
  return file.raw(`4 0 obj ${SCRIPT} endobj${after}\nendobj\n`).table().end()
}

/** Files by what is tricky about where their objects are, with the verdict. */
export const TRICKY_PLACES: Tricky = {
  // Where objects are.
  'an older revision with a script': ['active', () => revised(SCRIPT, LINK)],
  'a newer revision with a script': ['active', () => revised(LINK, SCRIPT)],
  'an index of both kinds': ['active', hybrid],
  'an index before the rest': ['active', linearised],
  'a damaged index, and a script': ['active', () => damaged(SCRIPT)],
  'two objects of a number, the first in the index': [
    'active',
    () => {
      const file = draft().document().object(4, SCRIPT)
      const entries = { ...file.places }
      return file.object(4, LINK).table('', entries).end()
    },
  ],
  'two objects of a number, the second in the index': [
    'active',
    () => draft().document().object(4, LINK).object(4, SCRIPT).table().end(),
  ],
  'another generation': [
    'active',
    () =>
      draft().document(CATALOG.replace('4 0', '4 3')).object(4, SCRIPT, '4 3 obj').table().end(),
  ],
  'an object beyond the size': [
    'active',
    () => draft().document().object(4, SCRIPT).table('/Size 4').end(),
  ],
  'an object with comments in its head': [
    'active',
    () => draft().document().object(4, SCRIPT, '4%\n0%\nobj').table().end(),
  ],
  'an object with nothing between': [
    'active',
    () => draft().document().raw('4 0obj').object(4, SCRIPT, '4 0obj').table().end(),
  ],
  'rubbish before the file': [
    'active',
    () => draft('rubbish\n%PDF-1.7\n').document().object(4, SCRIPT).table().end(),
  ],
  'an object in a stream': ['active', () => placedIn('<< /Length 99 >>\nstream\n', '\nendstream')],
  'an object in a text': ['active', () => placedIn('(', ')')],
  'an object in a comment': ['active', () => placedIn('null % ', '')],
  'a catalogue in the trailer': [
    'active',
    () =>
      draft()
        .object(2, PAGES)
        .object(3, page())
        .table(`/Root << /Pages 2 0 R /OpenAction ${SCRIPT} >>`)
        .end(),
  ],
  'an encrypted revision': [
    'unknown',
    () =>
      draft().document().object(4, LINK).table('/Encrypt << /Filter /Standard >>').table().end(),
  ],
}
