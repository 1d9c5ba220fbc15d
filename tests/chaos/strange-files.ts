import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import sharp from 'sharp'
import { ApiError } from '../../src/client/api.ts'
import {
  createOwnDocument,
  previewOwnFile,
  setDocumentCover,
  setDocumentFile,
} from '../../src/contract/office-documents.ts'
import { beginImport, getImport } from '../../src/contract/office-imports.ts'
import { cancelUpload } from '../../src/contract/uploads.ts'
import type { UploadPurpose } from '../../src/rules/uploads.ts'
import { zip } from '../support/imports.ts'
import { aPdf } from '../support/pdf.ts'
import { aPicture } from '../support/picture.ts'
import { shapedPdf, shapes } from '../support/shaped-pdf.ts'
import { BAD_PDFS } from '../support/uploads.ts'
import { hamzas, nestedForms } from './heavy-files.ts'
import { listFiles } from './lists.ts'
import { type MeasuredShop, patientFetch, uploadFile } from './measured-shop.ts'

/** A change of bytes; places are shares (0 to 1) of their length. */
type Change =
  | { readonly how: 'flip'; readonly at: number; readonly bits: number }
  | {
      readonly how: 'cut' | 'repeat'
      readonly at: number
      readonly length: number
      readonly times: number
    }
  | { readonly how: 'swap'; readonly at: number; readonly other: number; readonly length: number }
  /** A number that is written in digits becomes another one: a length, a place, a count. */
  | { readonly how: 'digits'; readonly at: number; readonly value: string }
  /** Four bytes become another number: the lengths and places of ZIPs and pictures. */
  | { readonly how: 'word'; readonly at: number; readonly value: number }
  | { readonly how: 'insert'; readonly at: number; readonly bytes: Uint8Array }

// Of whole numbers, since most of the numbers between 0 and 1 are tiny.
const place = fc.integer({ min: 0, max: 1_000_000 }).map((part) => part / 1_000_000)
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    how: fc.constant('flip' as const),
    at: place,
    bits: fc.integer({ min: 1, max: 255 }),
  }),
  fc.record({
    how: fc.constantFrom('cut' as const, 'repeat' as const),
    at: place,
    length: fc.integer({ min: 1, max: 3000 }),
    times: fc.integer({ min: 1, max: 40 }),
  }),
  fc.record({
    how: fc.constant('swap' as const),
    at: place,
    other: place,
    length: fc.integer({ min: 1, max: 500 }),
  }),
  fc.record({
    how: fc.constant('digits' as const),
    at: place,
    value: fc.constantFrom(...'0 -1 1 7 65536 2147483647 4294967296'.split(' '), '9'.repeat(30)),
  }),
  fc.record({
    how: fc.constant('word' as const),
    at: place,
    value: fc.constantFrom(0, 1, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff),
  }),
  fc.record({
    how: fc.constant('insert' as const),
    at: place,
    bytes: fc.uint8Array({ maxLength: 200 }),
  }),
)

/** No file becomes larger by repeated pieces. */
const MOST_BYTES = 300_000

function changed(bytes: Buffer, { at: share, ...change }: Change): Buffer {
  const at = Math.floor(share * Math.max(0, bytes.length - 1))
  const before = bytes.subarray(0, at)
  switch (change.how) {
    case 'flip': {
      const copy = Buffer.from(bytes)
      copy[at] = (copy[at] ?? 0) ^ change.bits
      return copy
    }
    case 'cut':
      return Buffer.concat([before, bytes.subarray(at + change.length)])
    case 'repeat': {
      const piece = bytes.subarray(at, at + change.length)
      return Buffer.concat([before, ...Array(change.times).fill(piece), bytes.subarray(at)])
    }
    case 'swap': {
      const other = Math.floor(change.other * Math.max(0, bytes.length - 1))
      const copy = Buffer.from(bytes)
      bytes.copy(copy, at, other, other + change.length)
      bytes.copy(copy, other, at, at + change.length)
      return copy
    }
    case 'digits': {
      const after = bytes.toString('latin1', at)
      return Buffer.concat([before, Buffer.from(after.replace(/\d+/, change.value), 'latin1')])
    }
    case 'word': {
      const copy = Buffer.from(bytes)
      if (at + 4 <= copy.length) copy.writeUInt32LE(change.value, at)
      return copy
    }
    case 'insert':
      return Buffer.concat([before, change.bytes, bytes.subarray(at)])
  }
}

const PDF_NAMES =
  '/Type /Catalog /Pages /Page /Kids /Count /Parent /Contents /Resources /MediaBox /ObjStm /XRef /W /Index ' +
  '/Filter /FlateDecode /LZWDecode /ASCII85Decode /RunLengthDecode /DecodeParms /Predictor /Length /Prev ' +
  '/Size /Root /Encrypt << >> [ ] ( ) 0 -1 99999999999 0.0000001 BT ET q Q Do null endobj'
const PDF_WORDS = [
  ...PDF_NAMES.split(' '),
  ...['%PDF-1.7\n', '1 0 obj', '2 0 R', '1 0 R', 'stream\n', '\nendstream', 'xref\n'],
  ...['trailer\n', 'startxref\n', '%%EOF\n', '0000000000 65535 f \n'],
]

/** Bytes that nobody's program wrote, by their purpose. */
const madeUp: Readonly<Record<UploadPurpose, fc.Arbitrary<Buffer>>> = {
  document: fc
    .array(fc.constantFrom(...PDF_WORDS), { maxLength: 400 })
    .map((words) => Buffer.from(`%PDF-1.5\n${words.join(' ')}\n%%EOF\n`, 'latin1')),
  cover: fc.uint8Array({ maxLength: 5000 }).map((bytes) => Buffer.from(bytes)),
  portrait: fc.uint8Array({ maxLength: 5000 }).map((bytes) => Buffer.from(bytes)),
  import: fc
    .uint8Array({ maxLength: 5000 })
    .map((bytes) => Buffer.concat([Buffer.from('PK\x03\x04'), bytes])),
}

/** A list in a good ZIP: made up, or a good one with changes. */
const strangeList = fc.oneof(
  fc.record({ name: fc.constant('catalogue.json'), text: fc.json({ maxDepth: 6 }) }),
  fc.record({
    name: fc.constantFrom('catalogue.csv', 'catalogue.json'),
    text: fc
      .array(
        fc.oneof(
          fc.constantFrom('"', ';', ',', '\t', '\r\n', '#', '\uFEFF', '[', '{', ':'),
          fc.string({ unit: 'grapheme' }),
        ),
        { maxLength: 300 },
      )
      .map((pieces) => pieces.join('')),
  }),
  fc.array(change, { minLength: 1, maxLength: 8 }),
)

type Strange =
  | {
      readonly kind: 'changed'
      readonly purpose: UploadPurpose
      readonly of: number
      readonly changes: readonly Change[]
    }
  | { readonly kind: 'made up'; readonly purpose: UploadPurpose; readonly bytes: Buffer }
  | { readonly kind: 'list'; readonly list: { name: string; text: string } | Change[] }

const documents = Array<UploadPurpose>(3).fill('document')
const purpose = fc.constantFrom<UploadPurpose>(...documents, 'cover', 'portrait', 'import')
const strange: fc.Arbitrary<Strange> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('changed' as const),
      purpose,
      of: fc.nat(),
      changes: fc.array(change, { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: purpose.chain((of) =>
      madeUp[of].map((bytes) => ({ kind: 'made up' as const, purpose: of, bytes })),
    ),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('list' as const), list: strangeList }) },
)

/** Good files, and files that are refused, from which strange ones are made. */
async function originals(seed: number): Promise<Record<UploadPurpose, Buffer[]>> {
  const pictures: Buffer[] = []
  for (const color of ['#0a7', '#c33', '#224']) {
    const png = await aPicture(color)
    pictures.push(png, await sharp(png).jpeg().toBuffer(), await sharp(png).webp().toBuffer())
  }
  const bad = Object.entries(BAD_PDFS).filter(([name]) => !name.startsWith('ten thousand'))
  return {
    document: [
      ...[1, 5, 40].map((pages) => aPdf(`Strange ${pages}`, pages, ['A', 'B'])),
      ...fc.sample(shapes, { seed, numRuns: 30 }).map(shapedPdf),
      ...bad.map(([, { bytes }]) => bytes()),
      nestedForms(3),
      hamzas(2, 5000),
    ],
    cover: pictures,
    portrait: pictures,
    import: await Promise.all([1, 3, 10].map((count) => zip(listFiles(count, { own: true })))),
  }
}

/** The bytes of a strange file, and what they are uploaded as. */
async function made(
  strange: Strange,
  from: Record<UploadPurpose, readonly Buffer[]>,
): Promise<{ purpose: UploadPurpose; bytes: Buffer }> {
  if (strange.kind === 'made up') return strange
  if (strange.kind === 'list') {
    const { 'catalogue.csv': csv, ...others } = listFiles(2, { own: true })
    const { list } = strange
    const written = Array.isArray(list)
      ? { 'catalogue.csv': list.reduce(changed, Buffer.from(String(csv))) }
      : { [list.name]: list.text }
    return { purpose: 'import', bytes: await zip({ ...others, ...written }) }
  }
  const { purpose, of, changes } = strange
  const original = from[purpose][of % from[purpose].length] ?? Buffer.alloc(0)
  const bytes = changes.reduce(
    (all, each) => (all.length > MOST_BYTES ? all : changed(all, each)),
    original,
  )
  return { purpose, bytes }
}

/** How many teachers upload at a time. */
const AT_ONCE = 6
/** How many files a teacher uploads: fewer than an account may in a day. */
const OF_TEACHER = 60

/** What a shop did with strange files. */
export interface Fate {
  /** How many files ended in each way: `accepted`, or the code of the refusal. */
  readonly ends: Readonly<Record<string, number>>
  /** Answers of 500 and above that are no 503, and imports that broke: with the number of the file. */
  readonly broken: readonly string[]
}

/**
 * Uploads strange files as teachers do, several at a time, and uses those that the shop accepts:
 * drafts are looked at, covers set, lists checked.
 */
export async function sendStrangeFiles(
  shop: MeasuredShop,
  { count, seed }: { count: number; seed: number },
): Promise<Fate> {
  const from = await originals(seed)
  const files = fc.sample(strange, { seed, numRuns: count })
  const ends: Record<string, number> = {}
  const broken: string[] = []
  let next = 0
  const work = async () => {
    let sender = await aSender(shop)
    for (let at = next++; at < files.length; at = next++) {
      if (sender.sent++ >= OF_TEACHER) sender = await aSender(shop)
      const file = await made(files[at] as Strange, from)
      const end = await send(shop, sender, file)
      const name = `${file.purpose}: ${end}`
      ends[name] = (ends[name] ?? 0) + 1
      if (/^(?:5(?!03)\d\d|0) |^import failed/.test(end)) broken.push(`${at}: ${end}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { ends, broken }
}

type Sender = Awaited<ReturnType<typeof aSender>>

/** A teacher with a draft that takes the files. */
async function aSender(shop: MeasuredShop) {
  const teacher = await shop.anOfficeTeacher()
  const { token } = teacher
  const { id } = await shop.api(createOwnDocument, {}, { token, idempotencyKey: randomUUID() })
  return { teacher, token, draft: id, sent: 0 }
}

/** Sends one file; resolves to how it ended. */
async function send(
  shop: MeasuredShop,
  { teacher, token, draft }: Sender,
  { purpose, bytes }: { purpose: UploadPurpose; bytes: Buffer },
): Promise<string> {
  const params = { id: draft }
  try {
    const { id: uploadId } = await uploadFile(shop, teacher, bytes, { purpose })
    if (purpose === 'document') {
      await shop.api(setDocumentFile, { params, body: { uploadId, note: '' } }, { token })
      return await look(shop, token, draft)
    }
    if (purpose === 'cover') {
      await shop.api(setDocumentCover, { params, body: { uploadId } }, { token })
    }
    if (purpose === 'portrait') {
      await shop.api(cancelUpload, { params: { id: uploadId } }, { token })
    }
    if (purpose === 'import') {
      await shop.api(beginImport, { body: { uploadId } }, { token })
      for (;;) {
        const { last } = await shop.api(getImport, {}, { token })
        if (last?.phase !== 'checking') return `import ${last?.phase}`
        await wait(20)
      }
    }
    return 'accepted'
  } catch (error) {
    if (error instanceof ApiError) return `${error.status} ${error.code}`
    throw error
  }
}

/** Looks at the first two pages of a draft. */
async function look(shop: MeasuredShop, token: string, draft: number): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const link = previewOwnFile.path.replace(':id', String(draft))
  const path = await (await patientFetch(`${shop.url}/api${link}`, { headers })).text()
  const ends: string[] = []
  for (const page of ['', '/1.webp', '/2.webp']) {
    const answer = await patientFetch(`${shop.url}/api${path}${page}`)
    await answer.arrayBuffer()
    if (answer.status >= 500) return `${answer.status} of ${page}`
    ends.push(String(answer.status))
  }
  return `accepted, shown as ${ends.join(', ')}`
}
