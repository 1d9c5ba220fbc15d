import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { translator } from '../../../i18n/translate.ts'
import type { InEachLanguage } from '../../../rules/languages.ts'
import { directionOf } from '../../../rules/page-passages.ts'
import { SAMPLE_PICTURE_MAX_BYTES, type SampleWidth } from '../../../rules/reading.ts'
import type { SampledPage } from '../../database/document-tables.ts'
import { keptFile } from '../pages/kept-files.ts'
import type { Pdf, Pictures } from '../pages/pictures.ts'

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

/** The directory of the samples' pictures, with a directory `<document>-<key>` for each sample. */
export const samplesIn = (dataDir: string): string => join(dataDir, 'samples')

const directory = (dataDir: string, { documentId, key }: Pick<Sampled, 'documentId' | 'key'>) =>
  join(samplesIn(dataDir), `${documentId}-${key}`)

/**
 * The watermarked picture of a sample's page, at most `SAMPLE_PICTURE_MAX_BYTES` large; drawn once
 * and stored in `DATA_DIR/samples`. Throws the errors of the workers.
 */
export async function samplePictureOf(
  { pictures, dataDir, name }: { pictures: Pictures; dataDir: string; name: InEachLanguage },
  sample: Sampled,
  page: number,
  width: SampleWidth,
): Promise<Buffer | null> {
  const watermark = watermarkOf(name, sample)
  // The shop may have been renamed since the sample was made.
  const mark = createHash('sha256').update(watermark).digest('hex').slice(0, 8)
  return keptFile(join(directory(dataDir, sample), `${page}-${width}-${mark}.webp`), () => {
    const maxBytes = SAMPLE_PICTURE_MAX_BYTES
    return pictures.draw(sample, page, { width, format: 'webp', watermark, maxBytes })
  })
}

/** Removes the pictures of a sample that was replaced. */
export async function dropPictures(
  dataDir: string,
  sample: Pick<Sampled, 'documentId' | 'key'>,
): Promise<void> {
  await rm(directory(dataDir, sample), { recursive: true, force: true })
}
