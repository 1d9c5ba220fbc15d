import { join } from 'node:path'
import { PREVIEW_MAX_PAGES } from '../../rules/uploads.ts'
import type { Storage } from '../files/files.ts'
import { keptFiles } from './kept-files.ts'
import { type PageSize, type Renderer, UnreadablePdf } from './renderer.ts'

/** A stored PDF, by its content. */
interface Pdf {
  readonly storageKey: string
  readonly sha256: string
}

/**
 * The pages of PDFs as pictures, drawn once and kept in `DATA_DIR/previews/<sha256>`. Throws what the
 * renderer throws: `UnreadablePdf`, `RendererBusy`.
 */
export function picturesIn(dataDir: string, storage: Storage, renderer: Renderer) {
  const kept = keptFiles()
  const fileOf = ({ sha256 }: Pdf, name: string) => join(dataDir, 'previews', sha256, name)

  /** The sizes of the pages' pictures, in order; at most `PREVIEW_MAX_PAGES`. */
  async function pathOf({ storageKey }: Pdf): Promise<string> {
    const path = await storage.localPath(storageKey)
    if (path === null) throw new UnreadablePdf('the file is not there')
    return path
  }

  async function sizes(pdf: Pdf): Promise<PageSize[]> {
    const text = await kept(fileOf(pdf, 'pages.json'), async () => {
      const path = await pathOf(pdf)
      const answer = await renderer.run<'sizes'>({ kind: 'sizes', path, most: PREVIEW_MAX_PAGES })
      return Buffer.from(JSON.stringify(answer.sizes))
    })
    return JSON.parse(String(text))
  }

  return {
    sizes,
    /** The WebP of a page, from 1; null when there is no such page. */
    async page(pdf: Pdf, page: number): Promise<Buffer | null> {
      if (page < 1 || page > (await sizes(pdf)).length) return null
      return kept(fileOf(pdf, `${page}.webp`), async () => {
        const path = await pathOf(pdf)
        const { bytes } = await renderer.run<'picture'>({ kind: 'picture', path, page })
        return Buffer.from(bytes)
      })
    },
  }
}

/** How many pages a PDF on disk has. Throws `UnreadablePdf`. */
export async function pageCount(renderer: Renderer, path: string): Promise<number> {
  const most = Number.MAX_SAFE_INTEGER
  return (await renderer.run<'sizes'>({ kind: 'sizes', path, most })).sizes.length
}
