import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Download, Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { pathIn } from '../../src/i18n/paths.ts'
import { dinars } from '../../src/rules/money.ts'
import { showTable } from './library.ts'
import { aPdf } from './pdf.ts'
import type { Person } from './people.ts'
import type { OpenShop } from './shop.ts'

/** Console errors of a cut connection and of refused requests. */
export const CUT_ERRORS = [/ERR_/, /status of [45]/]

export const MEGABYTE = 1024 * 1024

/** A PDF of slightly more than so many bytes, different each time. */
const aLargePdf = (title: string, bytes: number) => {
  const noise = Buffer.alloc(bytes, `%${title}${Math.random()}\n`)
  return Buffer.concat([aPdf(title, 2), noise])
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export const savedHash = async (download: Download) => hashOf(await readFile(await download.path()))

/** The hash of the bytes that the shop sends this buyer in one piece. */
export async function sentHash(
  shop: OpenShop,
  { id, token }: Person,
  documentId: number,
): Promise<string> {
  const answer = await fetch(`${shop.url}/api/documents/download/${documentId}/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return hashOf(new Uint8Array(await answer.arrayBuffer()))
}

/** A buyer of documents of these sizes in bytes. */
export async function aBuyer(shop: OpenShop, title: string, ...sizes: number[]) {
  const documents = []
  for (const [at, size] of sizes.entries()) {
    const file = aLargePdf(title, size)
    documents.push(await shop.aDocument({ title: `${title} ${at + 1}`, price: dinars(1), file }))
  }
  const buyer = await shop.aCustomer({ balance: dinars(sizes.length) })
  await shop.buys(
    buyer,
    documents.map(({ id }) => id),
  )
  return { buyer, documents, ids: documents.map(({ id }) => id) }
}

/** The number of unfinished downloads that the browser stores. */
export const keptCount = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('karras-downloads')
        opening.onsuccess = () => {
          const database = opening.result
          const counting = database.transaction('parts').objectStore('parts').count()
          counting.onsuccess = () => {
            database.close()
            resolve(counting.result)
          }
        }
      }),
  )

/** Opens my documents as a table, in which every row has its button. */
export async function openTable(page: Page, locale: Locale) {
  await page.goto(pathIn(locale, '/my-documents'))
  await page.locator('[data-purchased]').first().waitFor()
  await showTable(page, locale)
}
