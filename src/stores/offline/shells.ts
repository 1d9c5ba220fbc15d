import { LANGUAGES } from '../../rules/languages.ts'
import type { KeepShells } from '../../rules/offline.ts'
import { READER } from '../../rules/reader-page.ts'

/** How long keeping the shells may take (ms); a browser that has no worker never answers. */
const PATIENCE_MS = 60_000

/** Whether this browser can keep anything. */
export const canKeep = (): boolean =>
  typeof navigator !== 'undefined' && 'serviceWorker' in navigator && 'caches' in globalThis

/** The pages by which kept documents are found and read, in this page's language. */
function readersPages(): string[] {
  const { lang } = document.documentElement
  const prefix = lang === LANGUAGES[0] ? '' : `/${lang}`
  return [`${prefix}/my-documents`, `${prefix}${READER}`]
}

/** Whether the service worker has kept them. */
export async function hasReadersPages(): Promise<boolean> {
  const found = await Promise.all(readersPages().map((path) => caches.match(path)))
  return found.every(Boolean)
}

/** Has the service worker keep these pages; resolves to whether it has. */
export async function keepReadersPages(): Promise<boolean> {
  const message: KeepShells = { keep: readersPages() }
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }) => resolve(data === true)
  const timer = setTimeout(resolve, PATIENCE_MS, false)
  void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage(message, [port2]))
  const isKept = await promise
  clearTimeout(timer)
  port1.close()
  return isKept
}
