import path from 'node:path'
import { expect, test } from 'vitest'
import { read, sourceFiles } from './source.ts'
import { importsOfFiles } from './source-graph.ts'

/** What the gallery shows: components, the parts that islands share, and the office's kit. */
const SHOWN =
  /^src\/(?:components\/.*\.astro|islands\/parts\/[A-Z]\w*\.tsx|office\/kit\/(?:.*\/)?[A-Z]\w*\.tsx)$/
const GALLERY = /^src\/pages\/_gallery\/.*\.(?:astro|tsx)$/

const components = 'src/components'
const parts = 'src/islands/parts'
const kit = 'src/office/kit'

/** Components that the gallery shows only inside others, each with one of those that render it. */
const INSIDE: Readonly<Record<string, string>> = {
  // Loaded by the page around the gallery.
  [`${components}/AddToCartModels.astro`]: 'src/layouts/Page.astro',
  [`${components}/BottomBar.astro`]: 'src/layouts/Page.astro',
  [`${components}/Footer.astro`]: 'src/layouts/Page.astro',
  [`${components}/Header.astro`]: 'src/layouts/Page.astro',
  [`${components}/LanguageOffer.astro`]: 'src/layouts/Page.astro',
  [`${components}/Loader.astro`]: 'src/layouts/Page.astro',
  [`${components}/Questions.astro`]: 'src/layouts/Page.astro',
  [`${components}/Toast.astro`]: 'src/layouts/Page.astro',
  [`${components}/TopBar.astro`]: 'src/layouts/Page.astro',
  [`${components}/AccountMenu.astro`]: `${components}/Header.astro`,
  [`${components}/LanguagePicker.astro`]: `${components}/Header.astro`,
  [`${components}/LogOut.astro`]: `${components}/Header.astro`,
  [`${components}/programme/DatesAhead.astro`]: 'src/layouts/Programme.astro',
  [`${components}/programme/TestDays.astro`]: `${components}/programme/DatesAhead.astro`,
  [`${components}/programme/ThisWeek.astro`]: 'src/layouts/Programme.astro',
  [`${components}/OwnClass.astro`]: `${components}/home/Levels.astro`,
  [`${components}/Logo.astro`]: `${components}/Header.astro`,
  [`${components}/MenuLinks.astro`]: `${components}/Header.astro`,
  [`${components}/VisitorText.astro`]: `${components}/Header.astro`,
  [`${components}/Menu.astro`]: `${components}/AccountMenu.astro`,
  [`${components}/AddToCart.astro`]: `${components}/DocumentCard.astro`,
  [`${components}/NewsDot.astro`]: `${components}/AccountMenu.astro`,
  [`${components}/CopyButton.astro`]: `${components}/Share.astro`,
  [`${components}/Price.astro`]: `${components}/PriceTag.astro`,
  [`${components}/Star.astro`]: `${components}/shop/Pills.astro`,
  [`${components}/shop/Pills.astro`]: `${components}/shop/FilterForm.astro`,
  [`${components}/shop/Spelling.astro`]: `${components}/shop/Results.astro`,
  [`${parts}/ColumnPrice.tsx`]: 'src/islands/order/OrderPage.tsx',
  [`${parts}/Icon.tsx`]: `${parts}/DownloadButton.tsx`,
  [`${parts}/Price.tsx`]: `${kit}/tables/cells.tsx`,
  [`${parts}/Star.tsx`]: `${kit}/PreviewStars.tsx`,
  [`${parts}/Table.tsx`]: 'src/islands/my-documents/DocumentTable.tsx',
  [`${parts}/Upload.tsx`]: `${kit}/forms/UploadField.tsx`,
  [`${parts}/Written.tsx`]: `${parts}/WrittenPage.tsx`,
}

/** Components that it cannot show. */
const NOT_SHOWN = [
  // Nobody sees a script or the style sheet of the head.
  `${components}/Inline.astro`,
  // It looks like its contents.
  `${components}/shop/LiveShop.astro`,
  // Search engines read it.
  `${components}/structured-data/JsonLd.astro`,
]

const graph = importsOfFiles()
const gallery = [...graph.keys()].filter((file) => GALLERY.test(file))
const drawn = new Set(gallery.flatMap((file) => [...(graph.get(file) ?? [])]))
const all = sourceFiles(SHOWN)

test('the gallery shows every component and shared part, directly or inside another', () => {
  const missing = all.filter(
    (file) => !drawn.has(file) && !(file in INSIDE) && !NOT_SHOWN.includes(file),
  )
  expect(missing).toEqual([])
})

test('the gallery renders every component that it imports', () => {
  const texts = gallery.map(read)
  const unused = all.filter((file) => {
    if (!drawn.has(file)) return false
    const names =
      file.endsWith('.astro') || read(file).includes(`function ${path.parse(file).name}(`)
        ? [path.parse(file).name]
        : [...read(file).matchAll(/export function ([A-Z]\w*)/g)].map(([, name = '']) => name)
    return !texts.some((text) => names.some((name) => text.includes(`<${name}`)))
  })
  expect(unused).toEqual([])
})

test('every component that is listed as rendered inside another is, and needs to be listed', () => {
  const wrong = Object.entries(INSIDE).filter(
    ([file, parent]) => drawn.has(file) || !graph.get(parent)?.has(file),
  )
  const unshown = Object.values(INSIDE).filter(
    (parent) => !(drawn.has(parent) || parent in INSIDE || parent.startsWith('src/layouts/')),
  )
  expect({ wrong, unshown }).toEqual({ wrong: [], unshown: [] })
  expect(NOT_SHOWN.filter((file) => drawn.has(file) || !all.includes(file))).toEqual([])
})
