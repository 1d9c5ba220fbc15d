import { sql } from 'kysely'
import { getSample } from '../../src/contract/reading.ts'
import { SAMPLE_PICTURE_MAX_BYTES, SAMPLE_WIDTHS, samplePicture } from '../../src/rules/reading.ts'
import { makeSamples } from '../../src/server/library/library.ts'
import type { TestApp } from './app.ts'

// Published documents, and their samples as the shop serves them.

export async function aPublished(
  app: TestApp,
  file: Buffer,
  pages: number,
  title = 'Fractions',
  teacherId?: number,
) {
  return await app.aDocument({ title, file, pages, ...(teacherId && { teacherId }) })
}

/** Runs the job repeatedly: on a busy machine one run is too short for everything that is due. */
export async function make(app: TestApp): Promise<void> {
  do await makeSamples(app.deps, { mayDraw: true })
  while (await isUnfinished(app))
}

async function isUnfinished(app: TestApp): Promise<boolean> {
  const { rows } = await sql`SELECT FROM samples
    WHERE due_at <= greatest(now(), ${new Date(app.deps.now())})
      OR (NOT is_drawn AND due_at IS NULL AND pages IS NOT NULL)`.execute(app.kysely)
  return rows.length > 0
}

export const sampleOf = (app: TestApp, id: number) => app.call(getSample, { params: { id } })

export async function pictures(app: TestApp, id: number) {
  const sample = await sampleOf(app, id)
  const addresses = sample.pages.flatMap(({ page }) =>
    SAMPLE_WIDTHS.map((width) => ({
      address: samplePicture({ ...sample, key: sample.key ?? '' }, page, width),
      /** The most bytes that it may have. */
      most: SAMPLE_PICTURE_MAX_BYTES[width],
    })),
  )
  return Promise.all(
    addresses.map(async ({ address, most }) => {
      const response = await fetch(app.url + address)
      return { address, most, response, bytes: Buffer.from(await response.arrayBuffer()) }
    }),
  )
}

/** The response status of a picture's path, or of a similar one. */
export const statusOf = async (app: TestApp, path: string) => (await fetch(app.url + path)).status
