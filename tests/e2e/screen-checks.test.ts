// @everyday: what looks at every screen detects what it is there for.

import { expect, test } from 'vitest'
import { violations } from '../support/axe.ts'
import { DESKTOP, newVisitor } from '../support/browser.ts'
import { PATIENCE } from '../support/patience.ts'
import { expectComplete } from '../support/reading.ts'
import { sharedShop } from '../support/stage.ts'
import { smallTargets } from '../support/targets.ts'

const shop = sharedShop()

test('the check itself detects a button without a name and text with too little contrast', async () => {
  const { page } = await newVisitor(shop.url, { locale: 'ar', at: '/login' })
  for (const [colorScheme, color] of [
    ['light', '#ddd'],
    ['dark', '#333'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate((color) => {
      const pale = document.createElement('p')
      pale.textContent = 'نصّ شاحب'
      pale.className = 'pale'
      pale.style.color = color
      document.querySelector('main .panel')?.append(document.createElement('button'), pale)
    }, color)
    const found = (await violations(page)).join('\n')
    expect(found).toContain('button-name')
    expect(found).toMatch(/color-contrast: [^:]*\.pale/)
  }
})

test('the check itself detects a target that is too small, and none in a sentence', async () => {
  const { page } = await newVisitor(shop.url, { at: '/faq' })
  expect(await smallTargets(page)).toEqual([])
  await page.evaluate(() => {
    const place = document.querySelector('main h1')?.parentElement
    for (const [name, words] of [
      ['alone', ''],
      ['told', 'جملة فيها '],
    ] as const) {
      const text = document.createElement('p')
      const link = document.createElement('a')
      Object.assign(link, { href: '/', className: name, textContent: 'رابط' })
      text.append(words, link)
      place?.append(text)
    }
  })
  expect(await smallTargets(page)).toEqual([expect.stringContaining('A.alone')])
})

test('the check itself reads content far below the screen', async () => {
  const { page } = await newVisitor(shop.url, { locale: 'ar', at: '/' })
  await expectComplete(page, 'ar')
  await page.evaluate(() => {
    const far = document.createElement('div')
    far.textContent = 'common:rating.none'
    far.style.marginBlockStart = '9000px'
    far.style.contentVisibility = 'auto'
    document.querySelector('main')?.append(far)
    document.adoptedStyleSheets = []
  })
  await expect
    .poll(() => page.evaluate(() => document.body.innerText), PATIENCE)
    .not.toContain('common:rating.none')
  await expect(expectComplete(page, 'ar')).rejects.toThrow('not to match')
})

test('with forced colours, buttons, covers and spines keep a border', async () => {
  const { page } = await newVisitor(shop.url, { viewport: DESKTOP })
  await page.emulateMedia({ forcedColors: 'active' })
  for (const path of ['/', '/shop', '/shop-details/1', '/register']) {
    await page.goto(path)
    const bare = await page.evaluate(() => {
      const shapes = document.querySelectorAll(
        'main :is(.button, .cover, .spine, .badge, .pill > span)',
      )
      return [...shapes]
        .filter((shape) => shape.checkVisibility())
        .filter((shape) => {
          const { borderTopWidth, borderTopStyle, borderTopColor, backgroundColor } =
            getComputedStyle(shape)
          const isDrawn = borderTopStyle !== 'none' && Number.parseFloat(borderTopWidth) >= 1
          return !isDrawn || borderTopColor === backgroundColor
        })
        .map((shape) => shape.className)
    })
    expect(bare, path).toEqual([])
  }
})
