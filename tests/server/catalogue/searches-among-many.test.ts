// @one-database: it searches an index in memory.
// @at-landing: it adds tens of thousands of documents.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { searchDocuments } from '../../../src/contract/catalogue.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { addManyPapers, isWanted } from '../../support/many-papers.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
await fillSchoolLists(app.deps.database)
const { id } = await app.aDocument()
const { fileId } = await app.kysely
  .selectFrom('documents')
  .select('fileId')
  .where('id', '=', id)
  .executeTakeFirstOrThrow()
const teachers = await Promise.all(Array.from({ length: 20 }, () => app.aTeacher()))
const papers = await addManyPapers(app.kysely, {
  teacherIds: teachers.map((teacher) => teacher.id),
  fileId: fileId as number,
})

const [, ...searches] = readFileSync('tests/cases/searches/among-many.tsv', 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t') as [string, string])

const isThere = (wanted: Readonly<Record<string, string>>) =>
  [...papers.values()].some((facts) => isWanted(facts, wanted))

test('of sixty searches among thousands of papers, 57 find what they mean among the first five', async () => {
  expect(papers.size).toBeGreaterThan(3000)
  expect(searches).toHaveLength(60)
  const missed: string[] = []
  for (const [title, meant] of searches) {
    const wanted = Object.fromEntries(meant.split('; ').map((fact) => fact.split('=')))
    expect([title, isThere(wanted)]).toEqual([title, true])
    const { content, understood = [] } = await app.call(searchDocuments, {
      query: { title, size: 60 },
    })
    const isRight = content.map((one) => {
      const facts = papers.get(one.id)
      return facts !== undefined && isWanted(facts, wanted)
    })
    const place = isRight.indexOf(true)
    if (place >= 0 && place < 5) continue
    const read = understood.map(({ filter, value }) => `${filter}=${value}`).join(' ')
    const shown = content.slice(0, 5).map((one) => `${one.title} | ${one.classe.code}`)
    missed.push(`${title} (${meant}): place ${place + 1}; ${read}\n    ${shown.join('\n    ')}`)
  }
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(3)
})
