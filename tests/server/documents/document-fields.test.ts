import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getDocument } from '../../../src/contract/catalogue.ts'
import * as office from '../../../src/contract/office-documents.ts'
import { getImportTemplate } from '../../../src/contract/office-imports.ts'
import { getReview } from '../../../src/contract/office-review.ts'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { textsIn } from '../../../src/i18n/texts.ts'
import {
  boundsOf,
  DETAILS,
  type Detail,
  FIELD_NAMES,
  ruleOf,
} from '../../../src/rules/document-fields.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { accept } from '../../../src/server/documents/documents.ts'
import { columnOf } from '../../../src/server/documents/import/columns.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { office as command, importIt, list, put } from '../../support/office-import.ts'
import {
  ACTOR,
  act,
  create,
  readOwnDocument,
  save,
  setFile,
  textOfDocument,
} from '../../support/own-documents.ts'
import { aPdf } from '../../support/pdf.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

// The table of fields, through the calls and commands that read or write them.

const app = await sharedApp()
await fillSchoolLists(app.deps.database)

/** The text of a document whose detail has a value. */
const textWith = (names: Parameters<typeof textOfDocument>[0], title: string, detail: object) =>
  textOfDocument(names, title, detail as Partial<office.DocumentText>)

/** Two values that a detail may have, one that it may not, and a cell that is no value of it. */
const samplesOf = async (name: Detail, { teacherId }: { teacherId: number }) => {
  const rule = ruleOf(name)
  // The file has three pages.
  if (name === 'correctionPage') return { one: 2, other: 3, wrong: 4000, typed: '2.5' }
  if (rule.kind === 'paper') {
    const exams = app.kysely.selectFrom('categories').select('id').where('code', '=', 'exams')
    const { id: categoryId } = await exams.executeTakeFirstOrThrow()
    const aPaper = async () => (await app.aDocument({ categoryId, teacherId })).id
    const [one, other] = [await aPaper(), await aPaper()]
    return { one, other, wrong: 999_999, typed: 'x' }
  }
  if ('least' in rule) {
    return { one: rule.least, other: rule.most, wrong: rule.most + 1, typed: `${rule.least}.5` }
  }
  const [one = 'first', other = 'second'] = rule.kind === 'option' ? rule.options : []
  return { one, other, wrong: 'x'.repeat(10_000), typed: 'x'.repeat(10_000) }
}

test.each(LOCALES)('each number and each option has a text in %s', (locale) => {
  const texts = Object.keys(textsIn(locale, 'office-documents:details'))
  for (const name of DETAILS) {
    const rule = ruleOf(name)
    if (rule.kind === 'number') expect(texts).toContain(`${name}_other`)
    const options = rule.kind === 'option' ? rule.options : []
    expect(texts).toEqual(expect.arrayContaining(options.map((option) => `${name}_${option}`)))
  }
})

test('the template has a column for each field, and an example', async () => {
  const { lines } = await command(app, 'import', '--template')
  const [header = '', example = ''] = lines.filter((line) => line && !line.startsWith('#'))
  const cells = new Map(header.split(';').map((column, at) => [column, example.split(';')[at]]))
  // An example of these would name some document or chapter of the shop.
  const NAMES_OF_SHOP: readonly string[] = ['paper', 'entries']
  for (const field of FIELD_NAMES.filter((each) => !NAMES_OF_SHOP.includes(ruleOf(each).kind))) {
    expect(cells.get(columnOf(field)), field).toBeTruthy()
  }
  for (const field of ['correctionOf', 'chapters'] as const) {
    expect(cells.has(columnOf(field))).toBe(true)
  }
})

test.each(DETAILS)('%s: a teacher writes it, a reviewer and buyers see it', async (name) => {
  const teacher = await app.anOfficeTeacher({ firstName: 'Leïla', lastName: 'Gharbi' })
  const { one, other, wrong } = await samplesOf(name, teacher)
  const names = {
    matiereId: await app.aMatiere(),
    niveauId: await app.aClass(),
    categoryId: await app.aCategory(),
  }
  const begun = await create(app, teacher)
  expect(begun).toMatchObject({ [name]: null })
  const saved = await save(app, teacher, begun, textWith(names, 'With details', { [name]: one }))
  expect(saved).toMatchObject({ [name]: one, missing: [{ field: 'file' }] })
  await expect(
    save(app, teacher, saved, textWith(names, 'With details', { [name]: wrong })),
  ).rejects.toMatchObject({
    status: 400,
    body: { fields: { [name]: expect.any(String) } },
  })
  await setFile(app, teacher, begun.id, 3)
  await act(app, teacher, office.submitOwnDocument, begun.id)
  const params = { id: begun.id }
  const admin = await app.anOfficeAdministrator()
  expect(await app.call(getReview, { as: admin, params })).toMatchObject({
    document: { [name]: one },
  })
  await accept(app.deps, { ...params, actor: ACTOR })
  expect(await app.call(getDocument, { params })).toMatchObject({ [name]: one })

  // A change of a published document applies at once; a client that does not know it leaves it.
  const published = (await readOwnDocument(app, teacher, begun.id)).document
  const changed = await save(app, teacher, published, textWith(names, 'More', { [name]: other }))
  const renamed = await save(app, teacher, changed, textOfDocument(names, 'And more'))
  expect(await app.call(getDocument, { params })).toMatchObject({
    title: 'And more',
    [name]: other,
  })
  await save(app, teacher, renamed, textWith(names, 'And more', { [name]: null }))
  expect(await app.call(getDocument, { params })).not.toHaveProperty(name)
})

test('a correction begins on a page that the file has: by the call, at submission, and as a version', async () => {
  const teacher = await app.anOfficeTeacher()
  const names = {
    matiereId: await app.aMatiere(),
    niveauId: await app.aClass(),
    categoryId: await app.aCategory(),
  }
  const from = (correctionPage: number | null) => textWith(names, 'Devoir', { correctionPage })
  const { id } = await create(app, teacher)
  const now = async () => (await readOwnDocument(app, teacher, id)).document
  // Without a file no page is wrong.
  await save(app, teacher, await now(), from(5))
  await setFile(app, teacher, id, 6)
  const beyond = { status: 400, body: { fields: { correctionPage: 'max' } } }
  await expect(save(app, teacher, await now(), from(7))).rejects.toMatchObject(beyond)
  await setFile(app, teacher, id, 4)
  const submit = () => act(app, teacher, office.submitOwnDocument, id)
  await expectCode(submit(), 'correction_not_in_file')
  // Other fields are saved meanwhile.
  await save(app, teacher, await now(), { ...from(5), title: 'Devoir de contrôle' })
  await save(app, teacher, await now(), from(4))
  await submit()
  await accept(app.deps, { id, actor: ACTOR })

  await expectCode(setFile(app, teacher, id, 3), 'correction_not_in_file')
  await setFile(app, teacher, id, 8)
  // The version that waits has the page.
  await save(app, teacher, await now(), from(8))
  await expect(save(app, teacher, await now(), from(9))).rejects.toMatchObject(beyond)
})

test('a list names a correction behind the last page, with the number of pages', async () => {
  const folder = temporaryDirectory()
  await put(folder, 'a.pdf', aPdf('short', 3))
  await list(folder, [{ reference: 'short-1', correction_from: '4' }])
  expect(await importIt(app, folder)).toMatchObject({
    exit: 1,
    json: { problems: [{ column: 'correction_from', code: 'unknown_page', detail: '3' }] },
  })
})

test.each(DETAILS)('%s: lists, templates and exports have it', async (name) => {
  const { teacherId, email } = await app.anOfficeTeacher()
  const { one, other, typed } = await samplesOf(name, { teacherId })
  const bounds = boundsOf(name)
  const limits = bounds && { detail: `${bounds.least}–${bounds.most}` }
  const column = columnOf(name)
  const folder = temporaryDirectory()
  await put(folder, 'a.pdf', aPdf(name, 3))
  const reference = `${name}-1`
  const imported = async (cell: string) => {
    await list(folder, [{ reference, teacher_email: email, [column]: cell }])
    return await importIt(app, folder)
  }
  expect(await imported(typed)).toMatchObject({
    exit: 1,
    json: { problems: [{ row: 2, column, ...limits }] },
  })
  expect(await imported(String(one))).toMatchObject({ json: { created: 1 } })
  const asInSheets = ruleOf(name).kind === 'option' ? String(one).toUpperCase() : String(one)
  expect(await imported(asInSheets)).toMatchObject({ json: { unchanged: 1 } })
  expect(await imported(String(other))).toMatchObject({ json: { changed: 1 } })
  expect(await imported('')).toMatchObject({ json: { unchanged: 1 } })

  expect(await command(app, 'export', join(folder, 'out'))).toMatchObject({ exit: 0 })
  const [header = '', ...rows] = (await readFile(join(folder, 'out/catalogue.csv'), 'utf8'))
    .replace('\uFEFF', '')
    .split('\r\n')
  const row = rows.find((each) => each.startsWith(reference)) ?? ''
  expect(row.split(';')[header.split(';').indexOf(column)]).toBe(String(other))
  const { lines } = await command(app, 'import', '--template')
  expect(lines.join('\n')).toMatch(new RegExp(`^# ${column} \\(may be empty\\): \\S`, 'm'))
  const as = await app.anOfficeTeacher()
  const template = await app.call(getImportTemplate, { as, query: { locale: 'ar' } })
  expect(template).toMatch(new RegExp(`^# ${column} \\(.+\\): \\S[^{]*\r$`, 'm'))
})
