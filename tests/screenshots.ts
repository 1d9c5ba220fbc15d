/**
 * `npm run screenshots [scene…]`: starts the demo shop in a temporary directory and takes a
 * screenshot of every screen and dialog of the shop and the office into `screenshots/` (Arabic and
 * French; 360 and 1280 px; light and dark). A name that ends in `-` selects all scenes with that
 * prefix: `office-`.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { closeBrowser, DESKTOP, PHONE } from './support/browser.ts'
import { renderOffscreen, untilAnimationsEnd } from './support/scene-steps.ts'
import { logInCast, visitorOf } from './support/scenes/cast.ts'
import type { Cast, Scene } from './support/scenes/scene.ts'
import { SCENE_FAULTS, SCENES } from './support/scenes/scenes.ts'
import { spawnShop } from './support/shop-process.ts'

const OUT = path.resolve(import.meta.dirname, '../screenshots')
const VIEWPORTS = [PHONE, DESKTOP]
const LOCALES = ['ar', 'fr'] as const
const wanted = process.argv.slice(2)

/**
 * Floating elements are captured together with the screen below them; a page is captured in full.
 */
const isFloating =
  'dialog[open], [popover]:popover-open, .toast:not([hidden]), .picker[open], .cart-box:hover'

const isWanted = ({ name }: Scene) =>
  wanted.length === 0 ||
  wanted.some((each) => name === each || (each.endsWith('-') && name.startsWith(each)))

async function picture(
  scene: Scene,
  cast: Cast,
  url: string,
  locale: (typeof LOCALES)[number],
  viewport: typeof PHONE,
): Promise<void> {
  const visitor = await visitorOf(scene, cast, url, {
    locale,
    viewport,
    allowed: SCENE_FAULTS,
  })
  const { page } = visitor
  await scene.show(page, locale)
  await untilAnimationsEnd(page)
  await renderOffscreen(page)
  await page.evaluate(() => document.fonts.ready)
  const fullPage = (await page.locator(isFloating).count()) === 0
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const name = `${scene.name}-${locale}-${viewport.width}-${colorScheme}.png`
    await page.screenshot({ path: path.join(OUT, name), fullPage })
  }
  await visitor.leave()
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'karras-screenshots-'))
await mkdir(OUT, { recursive: true })
try {
  const shop = await spawnShop({ DATA_DIR: dataDir, DEMO: '1' })
  try {
    const cast = await logInCast(shop.url)
    for (const scene of SCENES) {
      if (!isWanted(scene)) continue
      console.log(scene.name)
      for (const viewport of VIEWPORTS) {
        const size = viewport.width < 768 ? 'phone' : 'wide'
        if (scene.only && scene.only !== size) continue
        for (const locale of LOCALES) await picture(scene, cast, shop.url, locale, viewport)
      }
    }
  } finally {
    await closeBrowser()
    await shop.stop()
  }
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
console.log(`Written to ${OUT}`)
