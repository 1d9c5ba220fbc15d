import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { translator } from '../../../i18n/translate.ts'
import type { InEachLanguage } from '../../../rules/languages.ts'
import { directionOf } from '../../../rules/page-passages.ts'
import { SAMPLE_PICTURE_MAX_BYTES, type SampleWidth } from '../../../rules/reading.ts'
import type { SampledPage } from '../../database/document-tables.ts'
import type { Schema } from '../../database/schema.ts'
import type { Deps } from '../../deps.ts'
import type { Storage } from '../../files/files.ts'
import type { Pdf, Pictures } from '../reading/pictures.ts'

/** A document that is for sale, with its file and the state of its sample. */
export interface SampleRow extends Pdf {
  readonly documentId: number
  readonly title: string
  readonly fileSize: number
  readonly fileDate: Date
  /** The pages before the correction, none of which the sample shows. */
  readonly pageCount: number | null
  readonly isPriced: boolean
  readonly chosen: number[] | null
  readonly key: string | null
  readonly pages: SampledPage[] | null
  /** Whether the sample must be made again, because its file or its pages have changed. */
  readonly isDue: boolean
  readonly tries: number
}

export async function findSample(db: Kysely<Schema>, id: number): Promise<SampleRow | undefined> {
  const { rows } = await sql<SampleRow>`
    SELECT d.id AS document_id, d.title, d.sample_pages AS chosen, f.storage_key, f.sha256,
      f.size AS file_size, least(f.page_count, d.correction_page - 1) AS page_count, d.price > 0 AS is_priced,
      coalesce(version.decided_at, d.uploaded_at) AS file_date,
      s.key, s.pages, s.due_at IS NOT NULL AS is_due, coalesce(s.tries, 0) AS tries
    FROM documents d
    JOIN files f ON f.id = d.file_id
    LEFT JOIN samples s ON s.document_id = d.id
    LEFT JOIN LATERAL (
      SELECT decided_at FROM document_versions
      WHERE document_id = d.id AND state = 'accepted' AND file_id = d.file_id
      ORDER BY number DESC LIMIT 1
    ) AS version ON true
    WHERE d.id = ${id} AND d.is_published`.execute(db)
  return rows[0]
}

/** The version of the drawing; increase it to have all samples drawn again. */
const LOOK = 2

/** The watermark of a sample's pages, in the language of the document; `name` is the shop's. */
export function watermarkOf(
  name: InEachLanguage,
  { title, pages }: { title: string; pages: readonly SampledPage[] },
): string {
  const texts = pages.map(({ text }) => text)
  const language = directionOf(texts, title) === 'rtl' ? 'ar' : 'fr'
  return `${name[language]} · ${translator(language)('samples:watermark')}`
}

/** The key of a sample's pictures; it changes whenever one of them would look different. */
export function keyOfSample(pdf: Pdf, pages: readonly SampledPage[], watermark: string): string {
  const made = [LOOK, pdf.sha256, pages.map(({ page }) => page), watermark]
  return createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 16)
}

/** A sample that has pages. */
export interface Sampled extends Pdf {
  readonly documentId: number
  readonly title: string
  readonly key: string
  readonly pages: readonly SampledPage[]
}

/** The folder of a sample's pictures. */
const folderOf = ({ documentId, key }: Pick<Sampled, 'documentId' | 'key'>) =>
  `${documentId}-${key}`

/** At most `SAMPLE_PICTURE_MAX_BYTES` of its width large; drawn once. Throws the errors of the workers. */
export async function samplePictureOf(
  { pictures, files, name }: { pictures: Pictures; files: Storage; name: InEachLanguage },
  sample: Sampled,
  page: number,
  width: SampleWidth,
): Promise<Buffer | null> {
  const watermark = watermarkOf(name, sample)
  // The shop may have been renamed since the sample was made.
  const mark = createHash('sha256').update(watermark).digest('hex').slice(0, 8)
  return files.made.kept(`samples/${folderOf(sample)}/${page}-${width}-${mark}.webp`, () => {
    const maxBytes = SAMPLE_PICTURE_MAX_BYTES[width]
    return pictures.draw(sample, page, { width, format: 'webp', watermark, maxBytes })
  })
}

export function dropPictures(
  { made }: Storage,
  sample: Pick<Sampled, 'documentId' | 'key'>,
): Promise<void> {
  return made.removeFolder('samples', folderOf(sample))
}

/** Pictures that a killed process left, or that were drawn while their sample was replaced. */
export async function removeLostSamples(
  { files, database }: Pick<Deps, 'files' | 'database'>,
  before: Date,
): Promise<void> {
  const names = await files.made.untouched('samples', before)
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM unnest(${names}::text[]) AS name
    WHERE name NOT IN (
      SELECT document_id || '-' || key FROM samples WHERE key IS NOT NULL)`.execute(database.kysely)
  for (const { name } of rows) await files.made.removeFolder('samples', name)
}
