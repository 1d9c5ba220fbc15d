import { randomBytes } from 'node:crypto'
import { bandsOf, type PageLikeness, PLACES } from '../../src/rules/likeness.ts'
import type { TestApp } from './app.ts'
import { randomFrom } from './random.ts'

export interface StoredBook {
  readonly teacherId: number
  readonly pages: readonly PageLikeness[]
  /** What the file says it has. */
  readonly pageCount?: number
  readonly state?: 'draft' | 'accepted'
}

/** A document with a file that has been signed, as `signFiles` leaves it. */
export async function signedBook(
  app: TestApp,
  { teacherId, pages, pageCount, state = 'accepted' }: StoredBook,
) {
  const key = randomBytes(32).toString('hex')
  const { id: fileId } = await app.kysely
    .insertInto('files')
    .values({
      storageKey: `00/${key}.pdf`,
      mediaType: 'application/pdf',
      fileType: 'pdf',
      size: 1,
      sha256: key,
      pageCount: pageCount ?? pages.length,
      likenessDueAt: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await app.kysely
    .insertInto('documents')
    .values({ teacherId, title: `Livre ${key}`, reference: key, state: 'draft' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.kysely
    .insertInto('documentVersions')
    .values({ documentId: id, number: 1, fileId, state, createdBy: 'command line' })
    .execute()
  const rows = pages.map((page, at) => ({
    fileId,
    page: at + 1,
    hasWords: page.hasWords,
    text: page.text && Buffer.from(page.text),
    picture: page.picture && Buffer.from(page.picture),
    bands: bandsOf(page),
  }))
  await app.kysely.insertInto('pageSignatures').values(rows).execute()
  return id
}

const random = randomFrom(7)
const signature = () => Uint8Array.from({ length: PLACES }, () => random.between(0, 255))
export const somePages = (count: number): PageLikeness[] =>
  Array.from({ length: count }, () => ({ hasWords: true, text: signature(), picture: signature() }))

/** The page with some of its words changed: still alike. */
export const alteredPage = (page: PageLikeness): PageLikeness => {
  const text = page.text?.map((byte) => (random.between(1, 10) === 1 ? byte ^ 1 : byte)) ?? null
  return { ...page, text }
}
