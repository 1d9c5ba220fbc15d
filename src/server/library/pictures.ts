import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Storage } from '../files/files.ts'
import { writeWhole } from '../files/files.ts'
import { type PageSize, type Renderer, UnreadablePdf } from './renderer.ts'

/** The most pages that a preview shows. */
const PAGES_MAX = 300

/** A stored PDF, by its content. */
export interface Pdf {
  readonly storageKey: string
  readonly sha256: string
}

/** The pages of PDFs as pictures, drawn once and kept in `DATA_DIR/previews/<sha256>`. */
export interface Pictures {
  /** The sizes of the pages' pictures, in order; at most 300. */
  sizes(pdf: Pdf): Promise<PageSize[]>
  /** The WebP of a page, from 1; null when there is no such page. */
  page(pdf: Pdf, number: number): Promise<Buffer | null>
}

/** Throws what the renderer throws: `UnreadablePdf`, `RendererBusy`. */
export function picturesIn(dataDir: string, storage: Storage, renderer: Renderer): Pictures {
  const underWay = new Map<string, Promise<Buffer>>()

  /** Reads what is kept, or makes it once however many ask at a time. */
  function kept(pdf: Pdf, name: string, make: () => Promise<Uint8Array>): Promise<Buffer> {
    const path = join(dataDir, 'previews', pdf.sha256, name)
    const running = underWay.get(path)
    if (running) return running
    const made = readIfThere(path)
      .then(async (bytes) => {
        if (bytes) return bytes
        const fresh = Buffer.from(await make())
        await writeWhole(path, fresh)
        return fresh
      })
      .finally(() => underWay.delete(path))
    underWay.set(path, made)
    return made
  }

  async function pathOf({ storageKey }: Pdf): Promise<string> {
    const path = await storage.localPath(storageKey)
    if (path === null) throw new UnreadablePdf('the file is not there')
    return path
  }

  async function sizes(pdf: Pdf): Promise<PageSize[]> {
    const text = await kept(pdf, 'pages.json', async () => {
      const path = await pathOf(pdf)
      const answer = await renderer.run<'sizes'>({ kind: 'sizes', path, most: PAGES_MAX })
      return Buffer.from(JSON.stringify(answer.sizes))
    })
    return JSON.parse(text.toString('utf8')) as PageSize[]
  }

  return {
    sizes,
    async page(pdf, number) {
      if (number < 1 || number > (await sizes(pdf)).length) return null
      return kept(pdf, `${number}.webp`, async () => {
        const path = await pathOf(pdf)
        const answer = await renderer.run<'picture'>({ kind: 'picture', path, page: number })
        return answer.bytes
      })
    },
  }
}

/** How many pages a PDF on disk has. Throws `UnreadablePdf`. */
export async function pageCount(renderer: Renderer, path: string): Promise<number> {
  const { sizes } = await renderer.run<'sizes'>({
    kind: 'sizes',
    path,
    most: Number.MAX_SAFE_INTEGER,
  })
  return sizes.length
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
