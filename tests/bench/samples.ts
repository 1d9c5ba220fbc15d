import { setTimeout as delay } from 'node:timers/promises'
import { median } from '../support/quantiles.ts'
import { OLD_PHONE, withPhone } from './support/chromium.ts'
import { type Bench, KB, type Row, row } from './support/part.ts'

const DOCUMENT = 3

/** How long the first page of a sample takes on an old phone with a bad line, and its bytes. */
export async function rows(bench: Bench): Promise<Row[]> {
  const { url } = await bench.openShop()
  while (!(await hasSample(url))) await delay(200)
  const visits: { seconds: number; kilobytes: number }[] = []
  for (let n = 0; n < bench.rounds; n++) {
    visits.push(
      await withPhone(OLD_PHONE, async (page) => {
        await page.goto(`${url}/shop-details/${DOCUMENT}`, { waitUntil: 'networkidle' })
        const session = await page.context().newCDPSession(page)
        await session.send('Network.enable')
        let bytes = 0
        session.on('Network.loadingFinished', ({ encodedDataLength }) => {
          bytes += encodedDataLength
        })
        const link = page.locator('.strip > a')
        const script = page.waitForResponse(/\/look-inside[^/]*\.js$/)
        await page.mouse.move(5, 5)
        await (await script).finished()
        await link.scrollIntoViewIfNeeded()
        const tappedAt = performance.now()
        await link.tap()
        await page
          .locator('.look-dialog img')
          .first()
          .evaluate((picture: HTMLImageElement) => picture.decode())
        const seconds = (performance.now() - tappedAt) / 1000
        return { seconds, kilobytes: bytes / KB }
      }),
    )
  }
  const value = (name: 'seconds' | 'kilobytes') => median(visits.map((visit) => visit[name]))
  const until = 'first page of the sample'
  return [
    row('L1', `tap on “look inside”: ${until} drawn after`, value('seconds'), {
      most: 3,
      unit: 's',
    }),
    row('L1', `bytes from the tap to the ${until}`, value('kilobytes'), { most: 100, unit: 'KB' }),
  ]
}

/** Whether the document's page links to its sample, which the shop draws soon after its start. */
async function hasSample(url: string): Promise<boolean> {
  const details = await fetch(`${url}/shop-details/${DOCUMENT}`)
  return details.ok && (await details.text()).includes('data-look-inside')
}
