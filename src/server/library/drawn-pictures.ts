import { join } from 'node:path'
import { type CoverFormat, coverHeight, type PortraitFormat } from '../../rules/pictures.ts'
import type { Deps } from '../deps.ts'
import { keyOf } from '../files/files.ts'
import { type Customer, tasksOf, UnreadableFile } from '../workers/workers.ts'
import { keptFile } from './pages/kept-files.ts'
import type { NormalisedPicture, PictureFault } from './picture-tasks.ts'

const task = tasksOf<typeof import('./picture-tasks.ts')>(
  new URL('./picture-tasks.ts', import.meta.url),
)
const DRAW = task('drawPicture')
const NORMALISE = { cover: task('normaliseCover'), portrait: task('normalisePortrait') }

/** The kinds of uploaded pictures, with the height for a width, in pixels. */
const HEIGHTS = { covers: coverHeight, portraits: (width: number) => width }
export type PictureKind = keyof typeof HEIGHTS

/**
 * A stored picture in one size and format, drawn once and kept in `<kind>/<sha256>` of the data
 * directory; null if there is none. Throws the errors of the workers.
 */
export async function drawnPicture(
  { config, files, workers }: Pick<Deps, 'config' | 'files' | 'workers'>,
  kind: PictureKind,
  {
    sha256,
    width,
    format,
  }: { sha256: string; width: number; format: CoverFormat | PortraitFormat },
): Promise<Buffer | null> {
  return keptFile(join(config.dataDir, kind, sha256, `${width}.${format}`), async () => {
    const path = await files.localPath(keyOf(sha256, 'webp'))
    if (path === null) return null
    const input = { path, width, height: HEIGHTS[kind](width), format }
    const customer: Customer = { lane: 'samples', account: sha256 }
    return Buffer.from(await workers.run(DRAW, input, { ...customer, file: { sha256 } }))
  })
}

/** An uploaded picture (absolute path) in its stored form, or why it is refused. */
export async function normalisedPicture(
  { workers }: Pick<Deps, 'workers'>,
  purpose: keyof typeof NORMALISE,
  { path, sha256 }: { path: string; sha256: string },
  customer: Customer,
): Promise<NormalisedPicture | PictureFault> {
  try {
    return await workers.run(NORMALISE[purpose], { path }, { ...customer, file: { sha256 } })
  } catch (error) {
    if (error instanceof UnreadableFile) return 'not_a_picture'
    throw error
  }
}
