import { button } from '../../scene-steps.ts'
import { type Scene, scene } from '../scene.ts'
import { admin, answering, NO_ROWS, plain } from './kinds.ts'

const TEACHERS = ['سلمى بن عمر', 'Hédi Ben Abdallah', 'منى الطرابلسي']
const TITLES = [
  'فرض تأليفيّ في الرياضيات: الثلاثيّ الثاني',
  'Devoir de synthèse n°2 : sciences physiques, 9ème année de base',
  'ملخّص علوم الحياة والأرض',
]

/** A bundle of three teachers, of whom the first is asked, in a state. */
const aBundle = (id: number, state: string, answer: string | null) => ({
  ...{ id, price: 14.5, revision: 1, state, answer, askedAt: '2026-03-05T10:00:00Z' },
  documents: TITLES.map((title, at) => ({
    ...{ id: at + 1, title, teacher: TEACHERS[at], isOwn: at === 0 },
    ...{ price: 6, priceNow: 6, share: at === 0 ? 4.84 : 4.83, isPublished: true },
  })),
  teachers: TEACHERS.map((name, at) => ({
    ...{ id: at + 1, name },
    answer: at === 0 ? answer : 'agreed',
  })),
})
const listed = (...content: object[]) => ({
  ...{ content, totalElements: content.length, totalPages: 1, number: 0, size: 20, awaiting: 1 },
})

const own = plain('bundles', '/office/bundles', 'teacher')
const shared = admin('shared-bundles', '/office/shared-bundles')
const ASKED = '**/api/office/asked-bundles?*'
const OFFERED = '**/api/office/admin/bundles?*'
const asked = answering(
  own,
  'asked',
  ASKED,
  listed(
    aBundle(3, 'asking', null),
    aBundle(2, 'selling', 'agreed'),
    aBundle(1, 'refused', 'refused'),
  ),
)
const several = answering(
  shared,
  'several',
  OFFERED,
  listed(
    aBundle(4, 'asking', null),
    aBundle(3, 'selling', 'agreed'),
    aBundle(2, 'refused', 'refused'),
    aBundle(1, 'stopped', 'agreed'),
  ),
)

/** Bundles of several teachers: who is asked, and who offers them. */
export const SHARED_BUNDLE_SCENES: readonly Scene[] = [
  asked,
  scene('office-bundles-withdraw', { as: 'teacher' }, async (page, locale) => {
    await asked.show(page, locale)
    await button(page.locator('main'), locale, 'office-bundles:asked.withdraw').click()
    await page.getByRole('dialog').waitFor()
  }),
  shared,
  several,
  answering(shared, 'empty', OFFERED, NO_ROWS),
  scene('office-shared-bundles-new', { as: 'administrator' }, async (page, locale) => {
    await shared.show(page, locale)
    await button(page, locale, 'office-bundles:shared.make').click()
    const boxes = page.locator('.bundle-form__found input')
    await boxes.first().check()
    await boxes.nth(1).check()
    await page.locator('.bundle-form__row').nth(1).waitFor()
  }),
  scene('office-shared-bundles-change', { as: 'administrator' }, async (page, locale) => {
    await several.show(page, locale)
    await button(page.locator('main'), locale, 'office-bundles:shared.change.act').first().click()
    await page.locator('.bundle-form__row').nth(2).waitFor()
  }),
]
