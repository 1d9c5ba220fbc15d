import { type Browser, type CDPSession, chromium, type Page } from 'playwright'
import type { Locale } from '../../../src/i18n/locales.ts'
import { CHROMIUM_FLAGS, ensureChromium } from '../../support/chromium.ts'

const LONGEST_VISIT_MS = 120_000

let started: Promise<Browser> | undefined

const FLAGS = [
  ...CHROMIUM_FLAGS,
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]
/** Where dictionaries are; a browser that gets none asks for no page that is made with one. */
const DICTIONARIES = '*/_dictionary/*'

/** The browser that measures, as the tests start it; it reaches this machine alone. */
export function browser(): Promise<Browser> {
  started ??= chromium.launch({ executablePath: ensureChromium(), args: FLAGS })
  return started
}

/** Closes the browser, where one was opened. */
export async function closeBrowser(): Promise<void> {
  await (await started)?.close()
  started = undefined
}

/** Ends a visit that waits for what never comes. */
function tooLong(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  setTimeout(() => reject(new Error('a visit took too long')), LONGEST_VISIT_MS).unref()
  return promise
}

export interface PhoneOptions {
  locale?: Locale
  /** How many times slower the processor is. */
  slower?: number
  /** Kilobits a second and milliseconds. */
  line?: { kilobits: number; latency: number }
  javaScriptEnabled?: boolean
  /** Whether it takes compression dictionaries, as Chromium does. */
  hasDictionaries?: boolean
}

/** A phone of somebody who has never been to the shop, gone after `work`. */
export async function withPhone<Result>(
  {
    locale = 'ar',
    slower = 1,
    line,
    javaScriptEnabled = true,
    hasDictionaries = true,
  }: PhoneOptions,
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
    if (!hasDictionaries) await session.send('Network.setBlockedURLs', { urls: [DICTIONARIES] })
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
    return await Promise.race([work(page, session), tooLong()])
  } finally {
    await context.close()
  }
}
