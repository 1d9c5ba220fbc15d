import type { Sample } from '../../contract/reading.ts'
import { LOOK_WIDTHS, PAGE_WIDTH, samplePicture } from '../../rules/reading.ts'

/**
 * The attributes by which a browser chooses among the pictures of a sample's page, here and in
 * preloads.
 */
export function pictureOf(sample: Pick<Sample, 'documentId'> & { key: string }, page: number) {
  return {
    src: samplePicture(sample, page, PAGE_WIDTH),
    srcset: LOOK_WIDTHS.map((width) => `${samplePicture(sample, page, width)} ${width}w`).join(
      ', ',
    ),
    sizes: '(width < 48rem) calc(100vw - 2rem), 704px',
  }
}
