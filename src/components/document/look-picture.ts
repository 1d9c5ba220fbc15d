import type { Sample } from '../../contract/reading.ts'
import { PAGE_WIDTH, SAMPLE_WIDTHS, samplePicture } from '../../rules/reading.ts'

/**
 * The attributes by which a browser chooses among the pictures of a sample's page, here and in
 * preloads.
 */
export function pictureOf(sample: Pick<Sample, 'documentId'> & { key: string }, page: number) {
  return {
    src: samplePicture(sample, page, PAGE_WIDTH),
    srcset: SAMPLE_WIDTHS.map((width) => `${samplePicture(sample, page, width)} ${width}w`).join(
      ', ',
    ),
    sizes: '(width < 48rem) calc(100vw - 2rem), 704px',
  }
}
