import { type Scene, scene } from '../scene.ts'
import { admin, answering, failing, loading } from './kinds.ts'

const stamp = admin('stamp', '/office/stamp')
const STAMP = '**/api/office/admin/stamp'
const TROUBLES = [
  ['damaged', 'الكسور والأعداد العشريّة: تمارين وحلول'],
  ['encrypted', 'Devoir de contrôle n° 2 – Mathématiques, 9e année de base'],
  ['too_slow', 'Dictées'],
].map(([reason, title], at) => ({
  documentId: at + 1,
  title,
  teacher: at === 1 ? 'Mohamed Aziz Ben Abdallah' : 'سامي الطرابلسي',
  reason,
  at: `2026-1${at % 2}-0${at + 1}T08:00:00Z`,
  isTriedAgain: at === 1,
}))

/** The stamp's switch, and the files that could not be stamped or drawn. */
export const STAMP_SCENES: readonly Scene[] = [
  stamp,
  failing(stamp, STAMP),
  loading(stamp, '/office/stamp', STAMP),
  answering(stamp, 'full', STAMP, {
    isOn: false,
    changed: { by: 'Leïla Mansour', at: '2026-11-20T09:30:00Z' },
    seen: 3,
    unstamped: { total: 240, newest: TROUBLES },
    undrawn: { total: 3, newest: TROUBLES },
  }),
  scene('office-stamp-switch', { as: 'administrator' }, async (page, locale) => {
    await stamp.show(page, locale)
    await page.locator('.summary button').click()
    await page.getByRole('dialog').waitFor()
  }),
]
