import type { Page, Route } from 'playwright'
import type { Locale } from '../../../../src/i18n/locales.ts'
import { inLanguage } from '../../../../src/i18n/paths.ts'
import type { OfficePath } from '../../../../src/rules/pages.ts'
import type { Cast, Scene } from '../scene.ts'

/** Opens a page of the office, and waits until nothing on it is loading any more. */
export async function open(
  page: Page,
  locale: Locale,
  path: OfficePath,
  query = '',
): Promise<void> {
  await page.goto(inLanguage(locale, path) + query, { waitUntil: 'load' })
  await page.waitForFunction(() => {
    // Scrolls to load what loads only when near.
    const waiting = [...document.querySelectorAll('main :is(.skeleton, [aria-busy="true"])')]
    const shown = waiting.find((each) => each.checkVisibility())
    shown?.scrollIntoView({ block: 'nearest' })
    return !shown && !document.querySelector('astro-island[ssr]')
  })
  await page.evaluate(() => scrollTo(0, 0))
}

export const plain = (name: string, path: OfficePath, as?: keyof Cast, query = ''): Scene => ({
  name: `office-${name}`,
  isPage: true,
  ...(as && { as }),
  show: (page, locale) => open(page, locale, path, query),
})

export const admin = (name: string, path: OfficePath, query = '') =>
  plain(name, path, 'administrator', query)

/** Answers a call as the server does, with these fields changed. */
export const answeredWith = (changes: object) => async (route: Route) => {
  const response = await route.fetch()
  await route.fulfill({ json: { ...(await response.json()), ...changes } })
}

/** The same page with another response to this call. */
export const answering = (scene: Scene, state: string, call: string, json: object): Scene => ({
  ...scene,
  isPage: false,
  name: `${scene.name}-${state}`,
  async show(page, locale) {
    await page.route(call, (route) => route.fulfill({ json }))
    await scene.show(page, locale)
  },
})

/** The same page with this call aborted. */
export const failing = (scene: Scene, call: string): Scene => ({
  ...scene,
  isPage: false,
  name: `${scene.name}-failed`,
  async show(page, locale) {
    await page.route(call, (route) => route.abort())
    await scene.show(page, locale)
  },
})

/** The same page with this call never answered. */
export const loading = (scene: Scene, path: OfficePath, call: string): Scene => ({
  ...scene,
  isPage: false,
  name: `${scene.name}-loading`,
  async show(page, locale) {
    await page.route(call, () => {})
    await page.goto(inLanguage(locale, path), { waitUntil: 'load' })
    await page.waitForFunction(() => !document.querySelector('main astro-island[ssr]'))
    await page.locator('main .skeleton, main [aria-busy="true"]').first().waitFor()
  },
})

export const NO_ROWS = {
  content: [],
  totalElements: 0,
  totalPages: 0,
  number: 0,
  size: 20,
  states: {},
}
