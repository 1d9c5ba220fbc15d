/**
 * `npm run screenshots [scene…]`: starts the demo shop in a temporary directory and takes a
 * screenshot of every screen and dialog of the shop and the office into `screenshots/` (Arabic and
 * French; 360 and 1280 px; light and dark). A name that ends in `-` selects all scenes with that
 * prefix: `office-`.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  closeBrowser,
  DESKTOP,
  PHONE,
  type Visitor,
  type VisitorOptions,
} from './support/browser.ts'
import { logInOfficeCast, officeVisitor } from './support/office-scenes/cast.ts'
import { OFFICE_SCENES } from './support/office-scenes/scenes.ts'
import { renderOffscreen } from './support/scene-steps.ts'
import { logInCast, visitorOf } from './support/scenes/cast.ts'
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

/** A scene, and the function that opens a visitor for it. */
interface Staged {
  name: string
  only?: 'phone' | 'wide'
  show: (page: Visitor['page'], locale: (typeof LOCALES)[number]) => Promise<void>
  enter: (options: VisitorOptions) => Promise<Visitor>
}

async function stage(url: string): Promise<Staged[]> {
  const cast = await logInCast(url)
  const officeCast = await logInOfficeCast(url)
  return [
    ...SCENES.map((scene) => ({
      ...scene,
      enter: (options: VisitorOptions) => visitorOf(scene, cast, url, options),
    })),
    ...OFFICE_SCENES.map((scene) => ({
      ...scene,
      enter: (options: VisitorOptions) => officeVisitor(scene, officeCast, url, options),
    })),
  ]
}

const isWanted = ({ name }: Staged) =>
  wanted.length === 0 ||
  wanted.some((each) => name === each || (each.endsWith('-') && name.startsWith(each)))

async function picture(
  scene: Staged,
  locale: (typeof LOCALES)[number],
  viewport: typeof PHONE,
): Promise<void> {
  const visitor = await scene.enter({ locale, viewport, allowed: SCENE_FAULTS })
  const { page } = visitor
  await scene.show(page, locale)
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
    for (const scene of await stage(shop.url)) {
      if (!isWanted(scene)) continue
      console.log(scene.name)
      for (const viewport of VIEWPORTS) {
        const size = viewport.width < 768 ? 'phone' : 'wide'
        if (scene.only && scene.only !== size) continue
        for (const locale of LOCALES) await picture(scene, locale, viewport)
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
