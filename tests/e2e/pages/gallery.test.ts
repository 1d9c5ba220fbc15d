// @everyday: every component in each of its states, with a browser's text of 150 and 200 %.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, inject, test } from 'vitest'
import { newVisitor } from '../../support/browser.ts'
import { expectFitsEnlarged } from '../../support/enlarged-text.ts'
import { type ShopProcess, spawnShop } from '../../support/shop-process.ts'
import { ARABIC, FRENCH } from '../../support/stage.ts'

/** The development server compiles what a page imports when it is asked for it. */
const LONG = { timeout: 200_000 }

let shop: ShopProcess
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'karras-gallery-'))
  const env = { ...inject('sharedShop').env, DATA_DIR: dataDir }
  shop = await spawnShop(env, { command: [process.execPath, 'src/server/dev.ts'] })
})
afterAll(async () => {
  await shop?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test.each([ARABIC, FRENCH])('the gallery fits with enlarged text, $who', async (person) => {
  const { locale, viewport } = person
  // The samples' pictures do not exist, and one is never drawn.
  const allowed = [/status of 404/, /empty string/]
  const { page } = await newVisitor(shop.url, { locale, viewport, allowed })
  await page.goto(locale === 'ar' ? '/gallery' : `/${locale}/gallery`, LONG)
  // Those that only browsers render come last.
  await page.locator('.gallery__piece').nth(40).waitFor(LONG)
  await page.waitForFunction(() => !document.querySelector('main astro-island[client="only"][ssr]'))
  for (const percent of [150, 200]) await expectFitsEnlarged(page, percent)
})
