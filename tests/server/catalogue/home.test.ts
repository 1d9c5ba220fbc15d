import { expect, test } from 'vitest'
import type { Api } from '../../../src/client/api.ts'
import { readHome } from '../../../src/pages/_read.ts'
import { testApp } from '../../support/app.ts'

// What the home page of an open shop shows, before and after something is featured or sold.

test('a new shop shows what was published last, until something is featured or sold', async () => {
  const app = await testApp()
  const home = () => readHome(((call, input) => app.call(call, input as never)) as Api, true)
  const titles = (documents: readonly { title: string }[] | null) =>
    documents?.map(({ title }) => title)
  expect(await home()).toMatchObject({ newest: [], featured: [], sold: [], complete: true })
  const older = await app.aDocument({ title: 'Les fractions' })
  const newer = await app.aDocument({ title: 'Les puissances' })
  const open = await home()
  expect(titles(open.newest)).toEqual(['Les puissances', 'Les fractions'])
  expect(open.sold).toEqual([])

  await app.change('documents', newer.id, { salesCount: 1 })
  expect(await home()).toMatchObject({ newest: [], sold: [{ id: newer.id }] })
  await app.change('documents', newer.id, { salesCount: 0 })
  await app.change('documents', older.id, { featuredPlace: 1 })
  expect(await home()).toMatchObject({ newest: [], featured: [{ id: older.id }] })
})

test('its teachers are the featured ones, then the first three that exist', async () => {
  const app = await testApp()
  const home = async () => {
    const { teachers } = await readHome(
      ((call, input) => app.call(call, input as never)) as Api,
      true,
    )
    return teachers?.map(({ id }) => id)
  }
  const made = [await app.aTeacher(), await app.aTeacher(), await app.aTeacher()]
  const later = [await app.aTeacher(), await app.aTeacher()]
  const [first = 0, second = 0, third = 0] = made.map(({ id }) => id)
  const [fourth = 0, fifth = 0] = later.map(({ id }) => id)
  for (const { id } of later) await app.aDocument({ teacherId: id })
  expect([first, second, third]).toEqual([1, 2, 3])
  expect(await home()).toEqual([1, 2, 3])
  await app.change('teachers', fifth, { featuredPlace: 1 })
  await app.change('teachers', fourth, { featuredPlace: 2 })
  expect(await home()).toEqual([fifth, fourth, 1])
})
