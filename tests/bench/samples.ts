import { setTimeout as delay } from 'node:timers/promises'
import { type PhoneOptions, withPhone } from './support/chromium.ts'
import { type Bench, median, type Row } from './support/part.ts'

const SLOW: PhoneOptions = { slower: 4, line: { kilobits: 400, latency: 400 } }
const ID = 3

/** How long somebody with an old phone on a bad line waits for the first page of a sample, and its bytes. */
export async function rows(bench: Bench): Promise<Row[]> {
  const { url } = await bench.openShop()
  while (!(await isThere(url))) await delay(200)
  const taken: { seconds: number; kilobytes: number }[] = []
  for (let n = 0; n < bench.rounds; n++) {
    taken.push(
      await withPhone(SLOW, async (page) => {
        await page.goto(`${url}/shop-details/${ID}`, { waitUntil: 'networkidle' })
        const session = await page.context().newCDPSession(page)
        await session.send('Network.enable')
        let bytes = 0
        session.on('Network.loadingFinished', ({ encodedDataLength }) => {
          bytes += encodedDataLength
        })
        const link = page.locator('[data-look-inside]')
        await link.scrollIntoViewIfNeeded()
        const tappedAt = performance.now()
        await link.tap()
        await page
          .locator('.look-dialog img')
          .first()
          .evaluate((picture: HTMLImageElement) => picture.decode())
        const seconds = (performance.now() - tappedAt) / 1000
        return { seconds, kilobytes: bytes / 1024 }
      }),
    )
  }
  return [
    {
      id: 'L1',
      what: 'tap on “look inside”: first page of the sample drawn after',
      value: median(taken.map(({ seconds }) => seconds)),
      unit: 's',
      most: 3,
    },
    {
      id: 'L1',
      what: 'bytes from the tap to the first page of the sample',
      value: median(taken.map(({ kilobytes }) => kilobytes)),
      unit: 'KB',
      most: 100,
    },
  ]
}

/** Whether the sample can be looked at, and the document's page leads to it. */
async function isThere(url: string): Promise<boolean> {
  const details = await fetch(`${url}/shop-details/${ID}`)
  return details.ok && (await details.text()).includes('data-look-inside')
}
