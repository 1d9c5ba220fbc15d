import { atom, onMount, readonlyType } from 'nanostores'
import { LANGUAGES } from '../../rules/languages.ts'
import type { ShellsAnswer, ToWorker } from '../../rules/offline.ts'
import { READER } from '../../rules/reader-page.ts'

/** How long keeping the shells may take (ms); a browser that has no worker never answers. */
const PATIENCE_MS = 60_000

/** Whether this browser can keep anything. */
export const canKeep = (): boolean =>
  typeof navigator !== 'undefined' && 'serviceWorker' in navigator && 'caches' in globalThis

const $worker = atom(false)
/** Whether the shop's worker is here, without which nothing that is kept could be found: an operator may switch it off. */
export const $hasWorker = readonlyType($worker)

onMount($worker, () => {
  if (!canKeep()) return
  const { serviceWorker } = navigator
  if (serviceWorker.controller) $worker.set(true)
  const look = () => void stays().then((isHere) => $worker.set(isHere))
  look()
  // Another worker has taken over this page, which may be the one that removes itself.
  serviceWorker.addEventListener('controllerchange', look)
  return () => serviceWorker.removeEventListener('controllerchange', look)
})

/** Waits for a worker; false where it is the one that is sent in place of a switched-off one, which goes at once. */
async function stays(): Promise<boolean> {
  const { active } = await navigator.serviceWorker.ready
  if (active?.state === 'activating') {
    await new Promise((resolve) => active.addEventListener('statechange', resolve, { once: true }))
  }
  return (await navigator.serviceWorker.getRegistration()) !== undefined
}

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

/** Has the service worker keep these pages; another try where a new build replaces it meanwhile. */
export async function keepReadersPages(): Promise<ShellsAnswer> {
  const { promise: isLate, resolve } = Promise.withResolvers<'failed'>()
  const timer = setTimeout(resolve, PATIENCE_MS, 'failed')
  let answer: ShellsAnswer | 'replaced' = 'replaced'
  while (answer === 'replaced') answer = await Promise.race([askWorker(), isLate])
  clearTimeout(timer)
  return answer
}

async function askWorker(): Promise<ShellsAnswer | 'replaced'> {
  const { active } = await navigator.serviceWorker.ready
  const { promise, resolve } = Promise.withResolvers<ShellsAnswer | 'replaced'>()
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }) => resolve(data)
  active?.addEventListener('statechange', () => {
    if (active.state === 'redundant') resolve('replaced')
  })
  const message: ToWorker = { keep: readersPages() }
  active?.postMessage(message, [port2])
  const answer = await promise
  port1.close()
  return answer
}
