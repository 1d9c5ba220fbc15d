import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import {
  createOwnDocument,
  previewOwnFile,
  setDocumentFile,
} from '../../src/contract/office-documents.ts'
import { buyersIn } from './buyers.ts'
import { nestedForms } from './heavy-files.ts'
import { type MeasuredShop, openMeasuredShop, uploadFile } from './measured-shop.ts'
import { compare, reading, visit } from './visitors.ts'

/** How many pages a draft has: 12 KB, which take more than anybody has to draw. */
const PAGES = 70

/** A draft as its teacher sees it: the path below which its pages are, `/<n>.webp`. */
export interface Draft {
  readonly path: string
  readonly pages: number
  /** The last page that was asked for; the first one is harmless. */
  page: number
}

/** Drafts of a teacher whose pages draw forms that draw forms, uploaded and checked. */
export async function heavyDrafts(shop: MeasuredShop, count: number): Promise<Draft[]> {
  const { token, ...teacher } = await shop.anOfficeTeacher()
  const drafts: Draft[] = []
  for (let variant = 0; variant < count; variant++) {
    const { id: uploadId } = await uploadFile(
      shop,
      { token, ...teacher },
      nestedForms(PAGES, variant),
    )
    const { id } = await shop.api(createOwnDocument, {}, { token, idempotencyKey: randomUUID() })
    const params = { id }
    await shop.api(setDocumentFile, { params, body: { uploadId, note: '' } }, { token })
    const answer = await fetch(`${shop.url}/api${previewOwnFile.path.replace(':id', String(id))}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    drafts.push({ path: `/api${await answer.text()}`, pages: PAGES, page: 1 })
  }
  return drafts
}

/** The next page of a draft, over and over. */
export const nextPage = (draft: Draft): string => {
  draft.page = draft.page >= draft.pages ? 2 : draft.page + 1
  return `${draft.path}/${draft.page}.webp`
}

/** Whether a page is refused for good: not by a full queue. */
const isRefused = (status: number) => status >= 400 && status !== 429 && status !== 503

/**
 * Looks at the pages of one draft after the other on 10 connections; goes on to the next one when
 * a page is refused, and ends when no draft is left or the time is over.
 */
function attack(shop: MeasuredShop, drafts: Draft[], seconds: number) {
  return visit({
    visitors: 10,
    seconds,
    network: '198.51.100',
    errands: {
      draft: async ({ send }) => {
        const draft = drafts[0] as Draft
        const reply = await send(shop.url + nextPage(draft))
        if (isRefused(reply.status) && drafts.length > 1 && drafts[0] === draft) drafts.shift()
        return reply
      },
    },
  })
}

// `node tests/chaos/heavy-drafts.ts [seconds] [directory of another checkout]`: what four visitors
// wait for before, while a teacher looks at drafts that nobody can draw, and once the shop
// remembers that.
if (import.meta.main) {
  const seconds = Number(process.argv[2] ?? 30)
  const shop = await openMeasuredShop({ root: resolve(process.argv[3] ?? '.') })
  const VISITORS = 4
  try {
    const { page } = reading(shop.url)
    const errands = { page, ...(await buyersIn(shop, VISITORS)) }
    const others = (forSeconds = seconds) =>
      visit({ visitors: VISITORS, seconds: forSeconds, errands, pause: 100 })
    // A page takes seconds of a processor, and three of them condemn a draft.
    const drafts = await heavyDrafts(shop, Math.ceil(seconds / 10))
    const first = drafts[0] as Draft
    await others(5)

    const quiet = await others()
    const noticed = shop.watch()
    const [attacked, answers] = await Promise.all([others(), attack(shop, drafts, seconds)])
    const { grown, stoodStill, ownWork } = noticed()
    console.table(compare('new drafts', quiet, attacked))
    console.log('answers to the teacher', answers.refused)
    console.log('the shop itself', { grown, stoodStill, ownWork })

    // All of the teacher's pages now are of a draft that is known.
    const calm = await others()
    const [known, later] = await Promise.all([others(), attack(shop, [first], seconds)])
    console.table([
      ...compare('a draft that is known', calm, known),
      ...compare('a draft that is known', answers, later),
    ])
  } finally {
    await shop.close()
  }
}
