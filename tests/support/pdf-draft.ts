import { deflateSync } from 'node:zlib'

// PDFs that are written piece by piece, with any index.

export const SCRIPT = '<< /S /JavaScript /JS (app.alert(1)) >>'
/** What a document may do when it opens. */
export const TURN = '<< /S /GoTo /D [3 0 R /Fit] /T (https://karras.example/javascript) >>'
export const LINK = '<< /S /URI /URI (https://karras.example/javascript) >>'
export const CATALOG = '<< /Type /Catalog /Pages 2 0 R /OpenAction 4 0 R >>'
export const PAGES = '<< /Type /Pages /Count 1 /Kids [3 0 R] >>'
export const page = (more = '') =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> ${more} >>`

/** A place in the file, or in an object stream: its number, and the object's position in it. */
type Place = number | readonly [stream: number, position: number]

/** A PDF that is written piece by piece. `places` are those of its index, which may be changed. */
export function draft(header = '%PDF-1.7\n') {
  let text = header
  const places: Record<number, Place> = {}
  const draft = {
    places,
    length: () => text.length,
    raw(more: string) {
      text += more
      return draft
    },
    object(number: number, body: string, head = `${number} 0 obj`) {
      places[number] = text.length
      return draft.raw(`${head}\n${body}\nendobj\n`)
    },
    stream(number: number, dictionary: string, data: Buffer | string) {
      const bytes = Buffer.from(data as string, 'latin1').toString('latin1')
      const length = /\/Length/.test(dictionary) ? '' : `/Length ${bytes.length}`
      const body = `<< ${dictionary} ${length} >>\nstream\n${bytes}\nendstream`
      return draft.object(number, body)
    },
    /** A catalogue that runs object 4 when it is opened, and one page. */
    document(catalog = CATALOG, more = '') {
      return draft.object(1, catalog).object(2, PAGES).object(3, page(more))
    },
    /** An index as a table; the file ends with it unless more is written. */
    table(trailer = '', entries = places) {
      const start = text.length
      const lines = Object.entries(entries).map(
        ([number, place]) => `${number} 1\n${String(place).padStart(10, '0')} 00000 n \n`,
      )
      const size = /\/Size/.test(trailer) ? '' : '/Size 40'
      const root = /\/Root/.test(trailer) ? '' : '/Root 1 0 R'
      draft.raw(`xref\n0 1\n0000000000 65535 f \n${lines.join('')}`)
      return draft.raw(`trailer\n<< ${size} ${root} ${trailer} >>\nstartxref\n${start}\n%%EOF\n`)
    },
    /** An index as a stream, which can place objects in object streams. */
    packedTable(more = '', entries = places) {
      const start = text.length
      draft.indexStream(39, more, { ...entries, 39: start })
      return draft.raw(`startxref\n${start}\n%%EOF\n`)
    },
    indexStream(number: number, more: string, entries: Record<number, Place>) {
      const numbers = Object.keys(entries)
      const data = Object.values(entries).flatMap((place) =>
        typeof place === 'number'
          ? [1, place >> 16, place >> 8, place, 0]
          : [2, place[0] >> 16, place[0] >> 8, place[0], place[1]],
      )
      const index = `/Index [${numbers.map((each) => `${each} 1`).join(' ')}]`
      const dictionary = `/Type /XRef /Size 40 /Root 1 0 R /W [1 3 1] ${index} ${more}`
      return draft.stream(number, dictionary, Buffer.from(data))
    },
    end: () => Buffer.from(text, 'latin1'),
  }
  return draft
}

/** A document whose object 4, the action when it is opened, is this; `more` are objects from 5. */
export function opening(action: string, ...more: readonly string[]): Buffer {
  const file = draft().document().object(4, action)
  for (const [at, body] of more.entries()) file.object(5 + at, body)
  return file.table().end()
}

/** A document with this catalogue; `more` are objects from 4. */
export function catalogued(entries: string, ...more: readonly string[]): Buffer {
  const file = draft().document(`<< /Type /Catalog /Pages 2 0 R ${entries} >>`)
  for (const [at, body] of more.entries()) file.object(4 + at, body)
  return file.table().end()
}

/** A document with this on its page; `more` are objects from 4. */
export function paged(entries: string, ...more: readonly string[]): Buffer {
  const file = draft().document('<< /Type /Catalog /Pages 2 0 R >>', entries)
  for (const [at, body] of more.entries()) file.object(4 + at, body)
  return file.table().end()
}

export const annotated = (annotation: string, ...more: readonly string[]) =>
  paged(`/Annots [<< /Type /Annot /Rect [0 0 9 9] ${annotation} >>]`, ...more)

interface Packing {
  readonly dictionary?: string
  readonly filter?: string
  readonly pack?: (bytes: Buffer) => Buffer
  /** What is before the offset of the action, or the offset itself. */
  readonly offset?: number
}

/** A document whose action when it is opened is in an object stream. */
export function packedOpening(action: string, packing: Packing = {}): Buffer {
  const {
    dictionary = '/Type /ObjStm',
    filter = '/FlateDecode',
    pack = deflateSync,
    offset = 0,
  } = packing
  const head = `4 ${offset} `
  const data = pack(Buffer.from(`${head}${action} `, 'latin1'))
  const file = draft().document()
  const entries = `${dictionary} /N 1 /First ${head.length} ${filter && `/Filter ${filter}`}`
  file.stream(5, entries, data)
  file.places[4] = [5, 0]
  return file.packedTable().end()
}

/** A document with a script of its own that PDFium finds; the script's words are in three objects. */
export function scripted(kind: 'table' | 'packed' | 'deflated'): Buffer {
  const catalog = '<< /Type /Catalog /Pages 2 0 R /Names << /JavaScript 4 0 R >> >>'
  const objects: Record<number, string> = {
    4: '<< /Names [(a) 6 0 R] >>',
    6: '<< /S /JavaScript /JS 7 0 R >>',
    7: '(app.alert\\(1\\))',
  }
  const file = draft().document(catalog)
  if (kind === 'table') {
    for (const [number, body] of Object.entries(objects)) file.object(Number(number), body)
    return file.table().end()
  }
  let head = ''
  let data = ''
  for (const [at, [number, body]] of Object.entries(objects).entries()) {
    head += `${number} ${data.length} `
    data += `${body} `
    file.places[Number(number)] = [5, at]
  }
  const bytes = Buffer.from(head + data, 'latin1')
  const isPacked = kind === 'deflated'
  const filter = isPacked ? '/Filter /FlateDecode' : ''
  const dictionary = `/Type /ObjStm /N 3 /First ${head.length} ${filter}`
  return file
    .stream(5, dictionary, isPacked ? deflateSync(bytes) : bytes)
    .packedTable()
    .end()
}

export const plain: Packing = { filter: '', pack: (bytes) => bytes }

/** A file with a damaged index, which viewers replace by their own. */
export const damaged = (action: string) =>
  Buffer.from(
    opening(action)
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n99999'),
    'latin1',
  )

export const nested = (depth: number, inner: string) =>
  '<< /A ['.repeat(depth) + inner + '] >>'.repeat(depth)

const SIGNATURE =
  '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 421 4423 99 ] /Contents <3082> >>'
const FIELDS =
  '/AcroForm << /SigFlags 3 /Fields [<< /FT /Sig /T (a) /V 4 0 R /Subtype /Widget /Rect [0 0 0 0] >>] >>'

/** PDFs with a signature, by whose it is. */
export const SIGNED: Readonly<Record<string, () => Buffer>> = {
  'signed by a person': () => catalogued(FIELDS, SIGNATURE),
  'certified without changes': () => catalogued(`${FIELDS} /Perms << /DocMDP 4 0 R >>`, SIGNATURE),
  'opened for Adobe Reader': () => catalogued('/Perms << /UR3 4 0 R >>', SIGNATURE),
}
