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
import type { StaffUploadPurpose } from '../../src/rules/uploads.ts'
import { mutated } from '../support/changed-bytes.ts'
import { type Files, zip } from '../support/imports.ts'
import { aPdf } from '../support/pdf.ts'
import { aPicture } from '../support/picture.ts'
import { shapedPdf, shapes } from '../support/shaped-pdf.ts'
import { BAD_PDFS } from '../support/uploads.ts'
import { hamzas, nestedForms } from './heavy-files.ts'
import { listFiles } from './lists.ts'
import { type MeasuredShop, patientFetch, uploadFile } from './measured-shop.ts'

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
const madeUp: Readonly<Record<StaffUploadPurpose, fc.Arbitrary<Buffer>>> = {
  document: fc
    .array(fc.constantFrom(...PDF_WORDS), { maxLength: 400 })
    .map((words) => Buffer.from(`%PDF-1.5\n${words.join(' ')}\n%%EOF\n`, 'latin1')),
  cover: fc.uint8Array({ maxLength: 5000 }).map((bytes) => Buffer.from(bytes)),
  portrait: fc.uint8Array({ maxLength: 5000 }).map((bytes) => Buffer.from(bytes)),
  import: fc
    .uint8Array({ maxLength: 5000 })
    .map((bytes) => Buffer.concat([Buffer.from('PK\x03\x04'), bytes])),
}

/** The text of a list that nobody's program wrote, by its name. */
const madeUpList: fc.Arbitrary<Files> = fc.oneof(
  fc.json({ maxDepth: 6 }).map((text) => ({ 'catalogue.json': text })),
  fc
    .tuple(
      fc.constantFrom('catalogue.csv', 'catalogue.json'),
      fc.array(
        fc.oneof(
          fc.constantFrom('"', ';', ',', '\t', '\r\n', '#', '\uFEFF', '[', '{', ':'),
          fc.string({ unit: 'grapheme' }),
        ),
        { maxLength: 300 },
      ),
    )
    .map(([name, pieces]) => ({ [name]: pieces.join('') })),
)

interface Strange {
  readonly purpose: StaffUploadPurpose
  /** The files of a ZIP, or what is uploaded. */
  readonly content: Files | Buffer
}

const documents = Array<StaffUploadPurpose>(3).fill('document')
const purposes = fc.constantFrom<StaffUploadPurpose>(...documents, 'cover', 'portrait', 'import')

/** Changed files, made-up ones, and good ZIPs with a list of either kind. */
function strangeFiles(from: Record<StaffUploadPurpose, readonly Buffer[]>): fc.Arbitrary<Strange> {
  const changed = purposes.chain((purpose) =>
    fc
      .constantFrom(...from[purpose])
      .chain((bytes) => mutated(bytes, 5))
      .map((content) => ({ purpose, content })),
  )
  const made = purposes.chain((purpose) => madeUp[purpose].map((content) => ({ purpose, content })))
  const { 'catalogue.csv': csv, ...files } = listFiles(2, { own: true })
  const changedList = mutated(Buffer.from(String(csv)), 8).map((text) => ({
    'catalogue.csv': text,
  }))
  const lists = fc
    .oneof(madeUpList, changedList)
    .map((list) => ({ purpose: 'import' as const, content: { ...files, ...list } }))
  return fc.oneof(
    { weight: 6, arbitrary: changed },
    { weight: 1, arbitrary: made },
    { weight: 1, arbitrary: lists },
  )
}

/** Good files, and files that are refused, from which strange ones are made. */
async function originals(seed: number): Promise<Record<StaffUploadPurpose, Buffer[]>> {
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
  const files = fc.sample(strangeFiles(await originals(seed)), { seed, numRuns: count })
  const ends: Record<string, number> = {}
  const broken: string[] = []
  let next = 0
  const work = async () => {
    let sender = await aSender(shop)
    for (let at = next++; at < files.length; at = next++) {
      if (sender.sent++ >= OF_TEACHER) sender = await aSender(shop)
      const { purpose, content } = files[at] as Strange
      const bytes = Buffer.isBuffer(content) ? content : await zip(content)
      const end = await send(shop, sender, { purpose, bytes })
      const name = `${purpose}: ${end}`
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
  { purpose, bytes }: { purpose: StaffUploadPurpose; bytes: Buffer },
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
