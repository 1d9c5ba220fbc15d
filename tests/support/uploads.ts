import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect } from 'vitest'
import { finishUpload, openUpload, sendPart, type Upload } from '../../src/contract/uploads.ts'
import type { UploadPurpose } from '../../src/rules/uploads.ts'
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
  { purpose = 'document' as UploadPurpose, name = 'file', part = PART } = {},
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

const PAGES = '<< /Type /Pages /Count 1 /Kids [3 0 R] >>'
const page = (more = '') =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> ${more} >>`

/** Objects in a compressed object stream, where a plain text search does not find them. */
const hidden = (objects: string, filter = '/FlateDecode') => ({
  dictionary: `/Type /ObjStm /N 1 /First 4 /Filter ${filter}`,
  data: deflateSync(Buffer.from(`9 0 ${objects}`)),
})

const zeros = (megabytes: number) => deflateSync(Buffer.alloc(megabytes * 1024 * 1024))

/** A stream that is deflated repeatedly: each level expands to a thousand times its size. */
const nested = () => {
  const inner = zeros(1000)
  const outer = deflateSync(inner)
  return { dictionary: '/Filter [/FlateDecode /FlateDecode]', data: outer }
}

const tricky = (name: string) => TRICKY[name]?.[1] ?? expect.unreachable(name)

/** Invalid documents, and the shop's error codes for them. */
export const BAD_PDFS: Readonly<Record<string, { code: string; bytes: () => Buffer }>> = {
  'a renamed executable': {
    code: 'not_a_pdf',
    bytes: () => Buffer.concat([Buffer.from('MZ\x90\0'.padEnd(2000)), aPdf('x', 1)]),
  },
  'a web page': { code: 'not_a_pdf', bytes: () => Buffer.from('<html><script>alert(1)</script>') },
  'a PDF that is cut off': {
    code: 'pdf_damaged',
    bytes: () => aPdf('x', 30).subarray(0, 2000),
  },
  'a PDF of nothing': { code: 'pdf_damaged', bytes: () => Buffer.from('%PDF-1.4\n%%EOF\n') },
  'an encrypted PDF': {
    code: 'pdf_encrypted',
    bytes: () => {
      const text = aPdf('x', 1).toString('latin1')
      const locked = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -44 >> /ID [<00> <00>]`
      return Buffer.from(text.replace('/Info 4 0 R', locked), 'latin1')
    },
  },
  'ten thousand pages': { code: 'pdf_too_many_pages', bytes: () => aPdf('x', 10_000) },
  'a script when it opens': {
    code: 'pdf_active',
    bytes: () =>
      pdfOf([
        '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>',
        PAGES,
        page(),
      ]),
  },
  'a script with a name that is spelled by numbers': {
    code: 'pdf_active',
    bytes: () =>
      pdfOf([
        '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /#4aavaScrip#74 /JS (app.alert(1)) >> >>',
        PAGES,
        page(),
      ]),
  },
  'a script on a page’s link': {
    code: 'pdf_active',
    bytes: () =>
      pdfOf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        PAGES,
        page(
          '/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A << /S /JavaScript /JS (app.alert(1)) >> >>]',
        ),
      ]),
  },
  'a program that is started': {
    code: 'pdf_active',
    bytes: () =>
      pdfOf([
        '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /Launch /F (cmd.exe) >> >>',
        PAGES,
        page(),
      ]),
  },
  'a file within the file': {
    code: 'pdf_active',
    bytes: () =>
      pdfOf([
        '<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a.exe) 4 0 R] >> >> >>',
        PAGES,
        page(),
        '<< /Type /Filespec /F (a.exe) /EF << /F 5 0 R >> >>',
        { dictionary: '/Type /EmbeddedFile', data: Buffer.from('MZ') },
      ]),
  },
  'a script among compressed objects': {
    code: 'pdf_active',
    bytes: () =>
      pdfOf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        PAGES,
        page(),
        hidden('<< /S /JavaScript /JS (app.alert(1)) >>'),
      ]),
  },
  'a script among compressed objects with an odd entry': {
    code: 'pdf_active',
    bytes: tricky('a packed script with an odd entry'),
  },
  'a script that only a repaired index leads to': {
    code: 'pdf_active',
    bytes: tricky('a damaged index, and a script'),
  },
  'compressed objects that begin within a text': {
    code: 'pdf_not_checkable',
    bytes: tricky('packed objects that begin within a text'),
  },
  'dictionaries without end': {
    code: 'pdf_too_complex',
    bytes: tricky('lists in lists without end'),
  },
  'compressed objects that are not packed as they say': {
    code: 'pdf_not_checkable',
    bytes: () =>
      pdfOf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        PAGES,
        page(),
        hidden('<< /S /URI >>', '[/ASCIIHexDecode /FlateDecode]'),
      ]),
  },
  'compressed objects without end': {
    code: 'pdf_too_complex',
    bytes: () =>
      pdfOf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        PAGES,
        page(),
        { dictionary: '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', data: zeros(100) },
      ]),
  },
  'a page that unpacks to a gigabyte': {
    code: 'pdf_too_complex',
    bytes: () =>
      pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', PAGES, page('/Contents 4 0 R'), nested()]),
  },
}

/** Every file of this shop, complete or partial, in any directory. */
export async function filesOnDisk(app: TestApp): Promise<string[]> {
  const { dataDir } = app.deps.config
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}
