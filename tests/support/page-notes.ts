import type { TestApp } from './app.ts'

/** Returns a function that lists the tags noted as changed since, sorted. */
export async function pageNotes({ deps }: Pick<TestApp, 'deps'>): Promise<() => Promise<string[]>> {
  const read = (after: number) =>
    deps.database.kysely
      .selectFrom('pageChanges')
      .select(['id', 'tags'])
      .where('id', '>', after)
      .orderBy('id')
      .execute()
  const last = (await read(0)).at(-1)?.id ?? 0
  return async () => [...new Set((await read(last)).flatMap(({ tags }) => tags))].sort()
}
