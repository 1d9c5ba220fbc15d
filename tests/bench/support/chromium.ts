import { type Browser, type CDPSession, chromium, type Page } from 'playwright'
import type { Locale } from '../../../src/i18n/locales.ts'
import { CHROMIUM_FLAGS, ensureChromium } from '../../support/chromium.ts'

const VISIT_TIMEOUT_MS = 120_000

let started: Promise<Browser> | undefined

const FLAGS = [
  ...CHROMIUM_FLAGS,
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

/** Starts the browser once, with the flags of the tests; it reaches no other machine. */
function browser(): Promise<Browser> {
  started ??= chromium.launch({ executablePath: ensureChromium(), args: FLAGS })
  return started
}

/** Closes the browser if it was started. */
export async function closeBrowser(): Promise<void> {
  await (await started)?.close()
  started = undefined
}

/** Rejects after the longest time that a visit may take. */
function rejectAfterTimeout(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  setTimeout(() => reject(new Error('a visit took too long')), VISIT_TIMEOUT_MS).unref()
  return promise
}

export interface PhoneOptions {
  locale?: Locale
  /** How many times the processor is slowed down. */
  slower?: number
  /** Kilobits a second and milliseconds. */
  line?: { kilobits: number; latency: number }
  javaScriptEnabled?: boolean
}

/** An old phone on a bad line. */
export const OLD_PHONE = {
  slower: 4,
  line: { kilobits: 400, latency: 400 },
} as const satisfies PhoneOptions

/** Opens a phone's browser with nothing saved or cached, and closes it after `work`. */
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
    return await Promise.race([work(page, session), rejectAfterTimeout()])
  } finally {
    await context.close()
  }
}
