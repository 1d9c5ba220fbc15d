import { type Browser, type CDPSession, chromium, type Page } from 'playwright'
import type { Locale } from '../../../src/i18n/locales.ts'
import { CHROMIUM_FLAGS, ensureChromium } from '../../support/chromium.ts'

let started: Promise<Browser> | undefined

/** The browser that measures, as the tests start it; it reaches this machine alone. */
export function browser(): Promise<Browser> {
  started ??= chromium.launch({
    executablePath: ensureChromium(),
    args: [
      ...CHROMIUM_FLAGS,
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })
  return started
}

/** Closes the browser, where one was opened. */
export async function closeBench(): Promise<void> {
  await (await started)?.close()
  started = undefined
}

export interface PhoneOptions {
  locale?: Locale
  /** How many times slower the processor is. */
  slower?: number
  /** Kilobits a second and milliseconds. */
  line?: { kilobits: number; latency: number }
  javaScriptEnabled?: boolean
}

/** A phone of somebody who has never been to the shop, gone after `work`. */
export async function withPhone<Result>(
  { locale = 'ar', slower = 1, line, javaScriptEnabled = true }: PhoneOptions,
  work: (page: Page, session: CDPSession) => Promise<Result>,
): Promise<Result> {
  const context = await (await browser()).newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    locale,
    javaScriptEnabled,
  })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    if (line) {
      const bytes = (line.kilobits * 1000) / 8
      await session.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: line.latency,
        downloadThroughput: bytes,
        uploadThroughput: bytes,
      })
    }
    if (slower > 1) await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
    return await work(page, session)
  } finally {
    await context.close()
  }
}
