import { spawn } from 'node:child_process'
import fc from 'fast-check'
import { downloadDocument } from '../../src/contract/library.ts'
import { findInDocument, openReading } from '../../src/contract/reading.ts'
import { cancelUpload } from '../../src/contract/uploads.ts'
import { PAGE_WIDTH } from '../../src/rules/reading.ts'
import { aLargePdf } from '../support/large-pdf.ts'
import { aPdf } from '../support/pdf.ts'
import { shapedPdf, shapes } from '../support/shaped-pdf.ts'
import { aBuyerOf } from './buyers.ts'
import { type MeasuredShop, patientFetch, uploadFile } from './measured-shop.ts'

/** Uses up a processor until the process that started it is gone. */
const SPIN =
  'const { ppid } = process; while (process.ppid === ppid) for (let n = 0; n < 1e7; n++);'

/** Keeps processors busy with so many processes of normal priority; returns how to end them. */
export function keepBusy(count: number): () => void {
  const processes = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', SPIN], { stdio: 'ignore' }),
  )
  return () => {
    for (const each of processes) each.kill('SIGKILL')
  }
}

/** Different good PDFs of several shapes; one of eight is a megabyte. */
export function goodPdfs(count: number, seed: number): Buffer[] {
  const shaped = fc.sample(shapes, { seed, numRuns: count })
  return shaped.map((shape, at) => {
    if (at % 8 === 7) return aLargePdf(1024 ** 2, 1 + (at % 5))
    if (at % 4 === 1) return aPdf(`Good ${at}`, 1 + at, ['Chapter'])
    return shapedPdf(shape)
  })
}

/** What went wrong with good files. */
export interface Wronged {
  /** By the place of the file: what was refused, and how. */
  readonly refused: readonly string[]
  readonly withoutFooter: readonly number[]
  /** Rows of `file_faults` and `unstamped_files`. */
  readonly noted: readonly object[]
}

/**
 * Uploads PDFs, sells, draws, reads, searches and downloads each of them, four at a time; calls
 * again where the shop is busy.
 */
export async function sellGoodPdfs(shop: MeasuredShop, files: readonly Buffer[]): Promise<Wronged> {
  const refused: string[] = []
  const withoutFooter: number[] = []
  let next = 0
  const work = async () => {
    const teacher = await shop.anOfficeTeacher()
    for (let at = next++; at < files.length; at = next++) {
      const file = files[at] ?? Buffer.alloc(0)
      const refusal = await sellAndRead(shop, teacher, file).catch((error: unknown) =>
        String(error),
      )
      if (refusal === 'no footer') withoutFooter.push(at)
      else if (refusal) refused.push(`${at}: ${refusal}`)
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  const { kysely } = shop.database
  const noted = [
    ...(await kysely.selectFrom('fileFaults').selectAll().execute()),
    ...(await kysely.selectFrom('unstampedFiles').selectAll().execute()),
  ]
  return { refused, withoutFooter, noted }
}

type Teacher = Awaited<ReturnType<MeasuredShop['anOfficeTeacher']>>

/** Uses one file; returns what went wrong, or throws what the shop answered. */
async function sellAndRead(
  shop: MeasuredShop,
  teacher: Teacher,
  file: Buffer,
): Promise<string | null> {
  const upload = await uploadFile(shop, teacher, file)
  await shop.api(cancelUpload, { params: { id: upload.id } }, { token: teacher.token })
  const pages = upload.pageCount ?? 0
  const { document, buyer } = await aBuyerOf(shop, file, { teacherId: teacher.teacherId, pages })
  const { token } = buyer
  const params = { id: document.id }

  const opened = await shop.api(openReading, { params }, { token })
  if (opened.sizes.length !== pages) return `${opened.sizes.length} of ${pages} pages`
  for (const page of new Set([1, pages])) {
    for (const name of [`${page}-${PAGE_WIDTH}.webp`, `${page}.txt`]) {
      const answer = await patientFetch(`${shop.url}${opened.pages}${name}`)
      await answer.arrayBuffer()
      if (answer.status !== 200) return `${name} answered ${answer.status}`
    }
  }
  await shop.api(findInDocument, { params, query: { q: 'Page' } }, { token })

  const path = downloadDocument.path
    .replace(':id', `${document.id}`)
    .replace(':userId', `${buyer.id}`)
  const answer = await patientFetch(`${shop.url}/api${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const sent = Buffer.from(await answer.arrayBuffer())
  if (answer.status !== 200) return `the download answered ${answer.status}`
  if (!sent.subarray(0, file.length).equals(file)) return 'other bytes'
  return sent.length > file.length ? null : 'no footer'
}
