import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { constants, deflateSync } from 'node:zlib'
import { expect } from 'vitest'
import { finishUpload, openUpload, sendPart, type Upload } from '../../src/contract/uploads.ts'
import type { StaffUploadPurpose } from '../../src/rules/uploads.ts'
import { RefusedCall, type TestApp } from './app.ts'
import { aPdf } from './pdf.ts'
import type { Person } from './people.ts'
import { TRICKY } from './tricky-pdf.ts'

/** The size of a part on an average connection, in bytes. */
const PART = 64 * 1024

/** Uploads a file completely, part by part; it is not checked yet. */
export async function sendFile(
  app: TestApp,
  as: Person,
  bytes: Uint8Array,
  { purpose = 'document' as StaffUploadPurpose, name = 'file', part = PART } = {},
): Promise<Upload> {
  let upload = await app.call(openUpload, { as, body: { name, size: bytes.length, purpose } })
  while (upload.received < bytes.length) {
    const { received: offset } = upload
    upload = await app.call(sendPart, {
      as,
      params: { id: upload.id },
      query: { offset },
      body: new Uint8Array(bytes.subarray(offset, offset + part)),
    })
  }
  return upload
}

/** Uploads a file and has it checked. */
export async function upload(
  app: TestApp,
  as: Person,
  bytes: Uint8Array,
  options: Parameters<typeof sendFile>[3] = {},
): Promise<Upload> {
  const { id } = await sendFile(app, as, bytes, options)
  // Like the office's page: comes back while a busy machine is still checking the file.
  for (;;) {
    try {
      return await app.call(finishUpload, { as, params: { id } })
    } catch (error) {
      if (!(error instanceof RefusedCall) || error.code !== 'unavailable') throw error
    }
  }
}

/**
 * A PDF of objects numbered from 1, the first one its catalogue; a string or the parts of a stream.
 */
export function pdfOf(objects: readonly (string | { dictionary: string; data: Buffer })[]): Buffer {
  let file = '%PDF-1.5\n'
  const places = objects.map((object, at) => {
    const place = file.length
    const body =
      typeof object === 'string'
        ? object
        : `<< ${object.dictionary} /Length ${object.data.length} >>\nstream\n${object.data.toString('latin1')}\nendstream`
    file += `${at + 1} 0 obj\n${body}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const index = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(file + index + trailer, 'latin1')
}

/** A document whose catalogue has these entries; `more` are objects from 4. */
const catalogued = (entries: string, more: Parameters<typeof pdfOf>[0] = [], ofPage = '') =>
  pdfOf([
    `<< /Type /Catalog /Pages 2 0 R ${entries} >>`,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> ${ofPage} >>`,
    ...more,
  ])

/** A document with such an object stream, where a plain text search does not find its objects. */
const packed = (data: Buffer, filter = '/FlateDecode') =>
  catalogued('', [{ dictionary: `/Type /ObjStm /N 1 /First 4 /Filter ${filter}`, data }])

const MEGABYTE = 1024 ** 2
const PIECE_BYTES = 64 * MEGABYTE

/** Zlib bytes of about a thousandth of so many zeros, whole pieces of 64 MB. */
export function packedZeros(bytes: number): Buffer {
  const pieces = Math.ceil(bytes / PIECE_BYTES)
  // Without its header and its sum a piece may follow another.
  const piece = deflateSync(Buffer.alloc(PIECE_BYTES), {
    finishFlush: constants.Z_FULL_FLUSH,
  }).subarray(2)
  const sum = Buffer.alloc(4)
  // Adler-32 of zeros.
  sum.writeUInt16BE((pieces * PIECE_BYTES) % 65_521, 0)
  sum.writeUInt16BE(1, 2)
  const last = Buffer.from([0x03, 0x00])
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array(pieces).fill(piece), last, sum])
}

/** A stream that is deflated twice: each level expands to a thousand times its size. */
const nested = () => {
  const dictionary = '/Filter [/FlateDecode /FlateDecode]'
  return { dictionary, data: deflateSync(packedZeros(1000 * MEGABYTE)) }
}

function encrypted(): Buffer {
  const text = aPdf('x', 1).toString('latin1')
  const locked = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -44 >> /ID [<00> <00>]`
  return Buffer.from(text.replace('/Info 4 0 R', locked), 'latin1')
}

const SCRIPT = '<< /S /JavaScript /JS (app.alert(1)) >>'
const tricky = (name: string) => TRICKY[name]?.[1] ?? expect.unreachable(name)

/** Invalid documents by the shop's error codes for them. */
const BAD_BY_CODE: Record<string, Record<string, () => Buffer>> = {
  not_a_pdf: {
    'a renamed executable': () =>
      Buffer.concat([Buffer.from('MZ\x90\0'.padEnd(2000)), aPdf('x', 1)]),
    'a web page': () => Buffer.from('<html><script>alert(1)</script>'),
  },
  pdf_damaged: {
    'a PDF that is cut off': () => aPdf('x', 30).subarray(0, 2000),
    'a PDF of nothing': () => Buffer.from('%PDF-1.4\n%%EOF\n'),
  },
  pdf_encrypted: { 'an encrypted PDF': encrypted },
  pdf_too_many_pages: { 'ten thousand pages': () => aPdf('x', 10_000) },
  pdf_active: {
    'a script when it opens': () => catalogued(`/OpenAction ${SCRIPT}`),
    'a script with a name that is spelled by numbers': () =>
      catalogued('/OpenAction << /S /#4aavaScrip#74 /JS (app.alert(1)) >>'),
    'a script on a page’s link': () =>
      catalogued('', [], `/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A ${SCRIPT} >>]`),
    'a program that is started': () => catalogued('/OpenAction << /S /Launch /F (cmd.exe) >>'),
    'a file within the file': () =>
      catalogued('/Names << /EmbeddedFiles << /Names [(a.exe) 4 0 R] >> >>', [
        '<< /Type /Filespec /F (a.exe) /EF << /F 5 0 R >> >>',
        { dictionary: '/Type /EmbeddedFile', data: Buffer.from('MZ') },
      ]),
    'a script among compressed objects': () => packed(deflateSync(Buffer.from(`9 0 ${SCRIPT}`))),
    'a script among compressed objects with an odd entry': tricky(
      'a packed script with an odd entry',
    ),
    'a script that only a repaired index leads to': tricky('a damaged index, and a script'),
  },
  pdf_not_checkable: {
    'compressed objects that begin within a text': tricky(
      'packed objects that begin within a text',
    ),
    'compressed objects that are not packed as they say': () =>
      packed(deflateSync(Buffer.from('9 0 << /S /URI >>')), '[/ASCIIHexDecode /FlateDecode]'),
  },
  pdf_too_complex: {
    'dictionaries without end': tricky('lists in lists without end'),
    'compressed objects without end': () => packed(packedZeros(100 * MEGABYTE)),
    'a page that unpacks to a gigabyte': () => catalogued('', [nested()], '/Contents 4 0 R'),
  },
}

/** The same by what they are. */
export const BAD_PDFS: Readonly<Record<string, { code: string; bytes: () => Buffer }>> =
  Object.fromEntries(
    Object.entries(BAD_BY_CODE).flatMap(([code, files]) =>
      Object.entries(files).map(([name, bytes]) => [name, { code, bytes }]),
    ),
  )

/** Every file of this shop, complete or partial, in any directory. */
export async function filesOnDisk(app: TestApp): Promise<string[]> {
  const { dataDir } = app.deps.config
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}
