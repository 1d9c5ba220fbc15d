import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { LOGO_MAX_BYTES } from '../../rules/brand.ts'
import type { Schema } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { inTime, tasksOf, UnreadableFile } from '../workers/workers.ts'

const DRAW = tasksOf<typeof import('./logo-tasks.ts')>(new URL('./logo-tasks.ts', import.meta.url))(
  'drawLogo',
)

/**
 * Has a logo drawn anew in a process of its own, and stores it; returns its name. Throws
 * `not_a_logo` or `logo_too_large`.
 */
export async function storeLogo(
  { database, workers, now }: Pick<Deps, 'database' | 'workers' | 'now'>,
  bytes: Buffer,
  account: string,
): Promise<string> {
  if (bytes.length > LOGO_MAX_BYTES) throw fault('logo_too_large')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const customer = { lane: 'drafts', account, file: { sha256 } } as const
  const drawn = await inTime(workers.run(DRAW, { bytes }, customer)).catch((error: unknown) => {
    if (error instanceof UnreadableFile) return 'not_a_logo' as const
    throw error
  })
  if (typeof drawn === 'string') throw fault(drawn)
  const { type, width, height } = drawn
  const hash = createHash('sha256').update(drawn.content).digest('hex').slice(0, 16)
  const name = `${hash}-${width}x${height}.${type}`
  await database.kysely
    .insertInto('logos')
    .values({
      name,
      content: Buffer.from(drawn.content),
      mark: Buffer.from(drawn.mark),
      madeAt: new Date(now()),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return name
}

/** A stored logo by its name; undefined if there is none. */
export function findLogo(db: Kysely<Schema>, name: string) {
  return db
    .selectFrom('logos')
    .select(['content', 'mark'])
    .where('name', '=', name)
    .executeTakeFirst()
}

export async function hasLogo(db: Kysely<Schema>, name: string): Promise<boolean> {
  return (await findLogo(db, name)) !== undefined
}
